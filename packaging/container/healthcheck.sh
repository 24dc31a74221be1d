#!/bin/bash
# Whether the server greets who connects. It needs no account; while the first start prepares the volume there is no port yet.
exec 3<> "/dev/tcp/127.0.0.1/${1:-3306}" || exit 1
# three bytes of length, a sequence number, and the version of the protocol: 10 (255: the server refuses, but it is there)
read -r -t 5 -n 1 -d '' -u 3 _ && exit 0
exit 1
