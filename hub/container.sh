#!/bin/sh
# What the container does: `start` runs the hub; `users class.csv` makes accounts. NOT RUN, as the Dockerfile says.
# Accounts live in /etc, which a new container has anew; a copy in the volume of the hub brings them back.
set -eu
kept=/var/lib/hub/accounts
files="passwd shadow group gshadow"
keep() {
    mkdir -p "$kept" && chmod 700 "$kept"
    for name in $files; do cp -p "/etc/$name" "$kept/$name"; done
}
case "$1" in
start)
    if [ -d "$kept" ]; then for name in $files; do cp -p "$kept/$name" "/etc/$name"; done; else keep; fi
    exec /opt/hub/env/bin/jupyterhub --config /opt/hub/hub/jupyterhub_config.py
    ;;
users)
    /opt/hub/env/bin/python /opt/hub/hub/make_users.py "$2" --passwords "$(dirname "$2")/passwords.csv"
    keep
    echo "restart the hub, so that it knows them: docker compose -f hub/compose.yaml restart"
    ;;
keep) keep ;; # after passwd
esac
