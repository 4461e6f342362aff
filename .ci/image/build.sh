#!/usr/bin/env bash
# build.sh VERSION SOURCE: a stand-in for the official image neo4j:VERSION-community,
# from Maven Central's jars, a part of this machine's Java, and busybox. It understands
# what the tests and docker-compose.yml use. SOURCE becomes a label, by which
# .ci/images knows a stand-in that is out of date. Needs an engine, mvn, a JDK, and
# busybox-static.
set -euo pipefail
cd "$(dirname "$0")"
version=$1 source=$PWD provision=$PWD/../../integration/provision
case $version in
5.*) needed=17 most=21 ;;
*) needed=21 most=999 ;;
esac

# The JDK: the first that the release runs on, and that can link a runtime.
jdk=
for candidate in ${JAVA_HOME:+"$JAVA_HOME"} /usr/lib/jvm/*; do
    if [ ! -x "$candidate/bin/jlink" ]; then continue; fi
    release=$("$candidate/bin/javac" -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    if [ "$release" -ge $needed ] && [ "$release" -le $most ]; then
        jdk=$candidate
        break
    fi
done
if [ -z "$jdk" ]; then
    echo "the image of Neo4j $version can't be built: no JDK of release $needed or newer in JAVA_HOME or /usr/lib/jvm" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root home=$work/root/var/lib/neo4j
mkdir -p "$root"/{bin,etc,tmp,proc,sys,dev,root,usr/bin,opt,lib64,lib/x86_64-linux-gnu,data,logs} "$home"/{bin,conf,lib,import,plugins,run,licenses}
chmod 1777 "$root/tmp"

cp "$provision/pom.xml" "$work/"
if [ $needed = 17 ]; then # later releases have no cypher-shell there
    sed -i 's|</dependencies>|<dependency><groupId>org.neo4j</groupId><artifactId>cypher-shell</artifactId><version>${neo4j.version}</version></dependency></dependencies>|' "$work/pom.xml"
fi
(cd "$work" && mvn -q -B --no-transfer-progress -Dneo4j.version="$version" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$home/lib")
if [ $needed = 17 ]; then
    main=org.neo4j.server.CommunityEntryPoint
else # they lack a class that starts them
    main=Start
    "$jdk/bin/javac" -cp "$home/lib/*" -d "$work/start" "$provision/Start.java"
    "$jdk/bin/jar" --create --file "$home/lib/start.jar" -C "$work/start" .
fi
(cd "$root" && printf '/%s\n' var/lib/neo4j/lib/*.jar | paste -sd:) >"$home/classpath"

"$jdk/bin/jlink" --add-modules java.se,jdk.unsupported,jdk.management,jdk.crypto.ec,jdk.zipfs,jdk.jfr,jdk.naming.dns \
    --strip-java-debug-attributes --no-header-files --no-man-pages --output "$root/opt/java"
"$root/opt/java/bin/java" -Xshare:dump >/dev/null
rm -f "$root"/opt/java/lib/lib{awt_xawt,splashscreen,jawt,jsound,fontmanager,freetype,harfbuzz,lcms,mlib_image,javajpeg}.so

cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $(busybox --list); do [ "$applet" = busybox ] || ln -sf busybox "$root/bin/$applet"; done
libs=/lib/x86_64-linux-gnu
cp -L $libs/{libc.so.6,libm.so.6,libdl.so.2,libpthread.so.0,librt.so.1,libresolv.so.2,libz.so.1,libgcc_s.so.1,libstdc++.so.6,libnss_files.so.2,libnss_dns.so.2} "$root$libs/"
cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

cp "$source/neo4j.conf" "$home/conf/"
install -m 755 "$source/entrypoint.sh" "$root/entrypoint.sh"
install -m 755 "$source/tool.sh" "$home/bin/neo4j-admin"
ln -s neo4j-admin "$home/bin/cypher-shell"
ln -s /data "$home/data"
ln -s /logs "$home/logs"

tar -C "$root" --numeric-owner --owner=0 --group=0 -c . | docker import \
    --change 'ENV PATH=/var/lib/neo4j/bin:/opt/java/bin:/bin:/usr/bin' \
    --change 'ENV JAVA_HOME=/opt/java' \
    --change 'ENV NEO4J_HOME=/var/lib/neo4j' \
    --change 'ENV NEO4J_EDITION=community' \
    --change "ENV NEO4J_MAIN=$main" \
    --change 'WORKDIR /var/lib/neo4j' \
    --change 'VOLUME ["/data", "/logs"]' \
    --change 'EXPOSE 7474 7473 7687' \
    --change 'ENTRYPOINT ["/entrypoint.sh"]' \
    --change 'CMD ["neo4j"]' \
    --change 'LABEL acervo.stand-in="built from Maven Central'"'"'s jars"' \
    --change "LABEL acervo.source=$2" \
    - "neo4j:$version-community" >/dev/null
