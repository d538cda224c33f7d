# offerline for a real installation: `docker compose up --build`. TypeScript runs directly, so there is nothing to build.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The pinned Node of package.json is left out: the image brings its own.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production \
    OFFERLINE_CONFIG=/etc/offerline/offerline.yaml \
    OFFERLINE_HOME=/var/lib/offerline
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY src ./src
# The link lets ops write `docker compose exec offerline offerline runs`.
RUN mkdir -p /var/lib/offerline /etc/offerline \
    && chown node:node /var/lib/offerline \
    && ln -s /app/bin/offerline /usr/local/bin/offerline
USER node
VOLUME /var/lib/offerline
# The file is touched after each sweep that reached the ledger and the queue (`worker.sweep`, every 30 s). Looking at its age
# costs nothing and calls nobody; `offerline doctor` would ask the service and the mail server each time.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD test -n "$(find /tmp/offerline-heartbeat -mmin -3)"
# SIGTERM hands work back; an upload that is nearly done may finish first.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/src/cli/main.ts"]
CMD ["up", "--heartbeat", "/tmp/offerline-heartbeat"]
