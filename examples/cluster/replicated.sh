#!/bin/sh
# Starts a cluster as one is run, on this machine: three shards of two replicas each with the ZooKeeper by which they keep
# alike, TLS in both directions with an authority of its own, and a password. All of it is in a directory (default:
# ./replicated-data), and ends when this is interrupted. 1a/pid in it is the process of the first shard's first replica.
# PORT is the first of the 25 ports that are taken, 9100 unless set.
# Debian: apt-get install --no-install-recommends clickhouse-server zookeeper openssl
set -eu
dir=${1:-replicated-data}
port=${PORT:-9100}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
pids=
trap 'kill $pids 2>/dev/null; wait' INT TERM EXIT

# An authority, and a certificate of the servers' and one of the client's that it signs.
cd "$dir"
if ! [ -f client.pem ]; then
	umask 077
	openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=authority -keyout authority.key -out authority.pem 2>/dev/null
	for who in shards.example client; do
		openssl req -newkey rsa:2048 -nodes -subj "/CN=$who" -keyout "$who.key" -out "$who.csr" 2>/dev/null
		echo "subjectAltName=DNS:$who" >"$who.ext"
		openssl x509 -req -in "$who.csr" -CA authority.pem -CAkey authority.key -CAcreateserial -days 365 \
			-extfile "$who.ext" -out "$who.pem" 2>/dev/null
	done
	openssl rand -hex 16 >password
fi
digest=$(tr -d '\n' <password | sha256sum | cut -d ' ' -f 1)

java -Xmx128m -Dzookeeper.admin.enableServer=false -cp /usr/share/java/zookeeper.jar \
	org.apache.zookeeper.server.ZooKeeperServerMain "$port" "$dir/zookeeper" >zookeeper.log 2>&1 &
pids=$!
# It takes connections before it serves, and never answers those that came so early: its own client gives up after 5 s.
tries=0
until java -cp /usr/share/java/zookeeper.jar org.apache.zookeeper.client.FourLetterWordMain 127.0.0.1 "$port" srvr \
	2>/dev/null | grep -q '^Mode: '; do
	tries=$((tries + 1))
	if [ $tries -gt 120 ] || ! kill -0 "$pids" 2>/dev/null; then
		echo "ZooKeeper does not serve at port $port: $(tail -n 3 zookeeper.log)" >&2
		exit 1
	fi
	sleep 0.5
done

hosts=
next=$((port + 1))
for shard in 1 2 3; do
	for replica in a b; do
		d=$dir/$shard$replica
		mkdir -p "$d/data" "$d/tmp" "$d/files" "$d/schemas"
		cat >"$d/users.xml" <<X
<yandex><profiles><default/></profiles>
<users><crosswave><password_sha256_hex>$digest</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></crosswave></users>
<quotas><default/></quotas></yandex>
X
		cat >"$d/config.xml" <<X
<yandex>
<logger><level>warning</level><log>$d/log</log><errorlog>$d/errors</errorlog></logger>
<tcp_port_secure>$next</tcp_port_secure><interserver_http_port>$((next + 6))</interserver_http_port>
<interserver_http_host>127.0.0.1</interserver_http_host><http_port>$((next + 12))</http_port><tcp_port>$((next + 18))</tcp_port>
<listen_host>127.0.0.1</listen_host>
<openSSL><server><certificateFile>$dir/shards.example.pem</certificateFile><privateKeyFile>$dir/shards.example.key</privateKeyFile>
<caConfig>$dir/authority.pem</caConfig><verificationMode>strict</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile>
</server></openSSL>
<path>$d/data/</path><tmp_path>$d/tmp/</tmp_path><user_files_path>$d/files/</user_files_path><format_schema_path>$d/schemas/</format_schema_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size>
<zookeeper><node><host>127.0.0.1</host><port>$port</port></node></zookeeper>
<macros><shard>$shard</shard><replica>$replica</replica></macros>
</yandex>
X
		clickhouse-server --config-file="$d/config.xml" &
		pids="$pids $!"
		echo $! >"$d/pid"
		case $replica in
		a) hosts=$hosts${hosts:+,}127.0.0.1:$next ;;
		b) hosts="$hosts|127.0.0.1:$next" ;;
		esac
		next=$((next + 1))
	done
done
cat <<X
export CROSSWAVE_CLICKHOUSE='clickhouse://crosswave@$hosts/crosswave?tls_ca=$dir/authority.pem&tls_cert=$dir/client.pem&tls_key=$dir/client.key&tls_server_name=shards.example&password_file=$dir/password'
X
wait
