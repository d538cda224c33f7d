# offerline for a real installation: docs/docker.md says how to run it. The program is bundled in
# a stage of its own; the image has Node, the bundle and nothing else.
# The version is that of package.json; the digest is that of the tag, so that a build next year begins with the same bytes.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base
ENV NODE_ENV=production
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json .npmrc ./
# The pinned Node of package.json stays behind: the image brings its own.
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . ./
RUN node scripts/package.ts /package && node scripts/sbom-runtime.ts /package image && rm -rf /package/docs /package/service

FROM base
ENV OFFERLINE_CONFIG=/etc/offerline/offerline.yaml \
    OFFERLINE_HOME=/var/lib/offerline
COPY --from=build /package ./
# What Node compiles of the program is made here: nothing in a container may be written but the home and /tmp.
COPY packaging/compile /tmp/compile
RUN /tmp/compile /app && rm /tmp/compile
# The link lets ops write `docker compose exec offerline offerline runs`. Nobody else may open the home and its backups.
RUN mkdir -p /etc/offerline \
    && install -d -o node -g node -m 700 /var/lib/offerline /var/backups/offerline \
    && ln -s /app/bin/offerline /usr/local/bin/offerline
USER node
VOLUME /var/lib/offerline
# The file is touched after each sweep that reached the ledger and the queue (`worker.sweep`, every 30 s). Looking at its age
# costs nothing and calls nobody; `offerline doctor` would ask the service and the mail server each time.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD test -n "$(find /tmp/offerline-heartbeat -mmin -3)"
# SIGTERM hands work back; an upload that is nearly done may finish first.
STOPSIGNAL SIGTERM
# The same room for what a start makes as in bin/offerline.
ENTRYPOINT ["node", "--min-semi-space-size=4", "--max-semi-space-size=4", "/app/program/cli-main.cjs"]
CMD ["up", "--heartbeat", "/tmp/offerline-heartbeat"]
