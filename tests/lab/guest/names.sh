# shellcheck shell=bash
# shellcheck disable=SC2034 # the variables are for those that source this
# Names and addresses of the lab's NFS servers; sourced by lib.sh and by guest/server.

# set the variables that describe server NAME
server_names() {
  server_name=$1
  server_dir=/var/lib/lab/servers/$1
  server_pid_file=/run/lab/$1.pid
  server_index=$(cat "$server_dir/index" 2>/dev/null || echo 0)
  server_link=lab$server_index
  client_ip=192.0.2.$((4 * server_index + 1))
  server_ip=192.0.2.$((4 * server_index + 2))
  if [ "$server_index" = 0 ]; then server_net6=2001:db8; else server_net6=2001:db8:0:$server_index; fi
  client_ip6=$server_net6::1
  server_ip6=$server_net6::2
}

# run a command inside the name space of server NAME
in_named_server() {
  local name=$1
  shift
  nsenter --target "$(cat "/run/lab/$name.pid")" --net --mount --uts -- "$@"
}
