#!/bin/sh
# Starts two ClickHouse servers on this machine, in the directory given (default: ./cluster-data), and stops them when it is interrupted.
set -eu
dir=${1:-cluster-data}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
pids=
trap 'kill $pids 2>/dev/null; wait' INT TERM EXIT
for i in 1 2; do
	d=$dir/$i
	mkdir -p "$d/data" "$d/tmp" "$d/files" "$d/schemas"
	cat >"$d/users.xml" <<X
<yandex><profiles><default/></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default/></quotas></yandex>
X
	cat >"$d/config.xml" <<X
<yandex>
<logger><level>warning</level><log>$d/log</log><errorlog>$d/errors</errorlog></logger>
<http_port>811$i</http_port><tcp_port>901$i</tcp_port><interserver_http_port>902$i</interserver_http_port>
<listen_host>127.0.0.1</listen_host>
<path>$d/data/</path><tmp_path>$d/tmp/</tmp_path><user_files_path>$d/files/</user_files_path><format_schema_path>$d/schemas/</format_schema_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size>
<remote_servers><shards>
<shard><replica><host>127.0.0.1</host><port>9011</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>9012</port></replica></shard>
</shards></remote_servers>
</yandex>
X
	clickhouse-server --config-file="$d/config.xml" &
	pids="$pids $!"
done
echo "two servers: --clickhouse clickhouse://127.0.0.1:9011,127.0.0.1:9012/crosswave"
wait
