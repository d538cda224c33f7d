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
RUN mkdir -p /var/lib/offerline /etc/offerline && chown node:node /var/lib/offerline
USER node
VOLUME /var/lib/offerline
HEALTHCHECK --interval=60s --timeout=30s --start-period=30s --retries=3 CMD ["bin/offerline", "doctor"]
# SIGTERM hands work back; an upload that is nearly done may finish first.
STOPSIGNAL SIGTERM
ENTRYPOINT ["bin/offerline"]
CMD ["up"]
