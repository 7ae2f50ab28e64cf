# syntax=docker/dockerfile:1.7.1@sha256:a57df69d0ea827fb7266491f2813635de6f17269be881f696fbfdf2d83dda33e
#
# The gateway: keys, limits, metering, validation. Build it from the repository's root:
#
#   docker build -f deploy/docker/gateway.Dockerfile -t presenza/gateway:1.0.0 .

# One line to change for another Node; Renovate keeps tag and digest together.
ARG NODE_IMAGE=docker.io/library/node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# npm compares the lockfile with the manifests of all workspaces, so the build needs them all. The sources come later,
# so that a change of them reuses the installed packages.
COPY package.json package-lock.json .npmrc ./
COPY gateway/package.json gateway/
COPY gateway/contract/package.json gateway/contract/
COPY inference/package.json inference/
COPY web/package.json web/
COPY web/component/package.json web/component/
COPY benchmarks/package.json benchmarks/
COPY deploy/docker/npm-limit.cjs deploy/docker/
RUN --mount=type=cache,target=/root/.npm \
    NODE_OPTIONS=--require=/app/deploy/docker/npm-limit.cjs \
    npm ci --include-workspace-root -w gateway -w gateway/contract -w inference
COPY tsconfig.base.json ./
COPY gateway gateway
# For the types of the protocol between the two tiers.
COPY inference inference
RUN node_modules/.bin/tsc -b gateway
COPY deploy/docker/assemble.mjs deploy/docker/
RUN node deploy/docker/assemble.mjs --from gateway --to /packages \
        --files gateway/contract,gateway/package.json,gateway/dist,gateway/lua,gateway/pages \
    && install -d -m 0700 /volumes/journal

# The root of the image: Node, its libraries and a user, without a shell and without npm.
FROM ${NODE_IMAGE} AS runtime
COPY deploy/docker/runtime.mjs /
RUN node /runtime.mjs --to /runtime

FROM scratch AS gateway
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Presenza gateway" \
      org.opencontainers.image.description="API edge: keys, limits, metering, validation" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Inside a container, 127.0.0.1 is not reachable from outside. The operators' API stays there unless GATEWAY_ADMIN_HOST
# changes it. The gateway writes only to GATEWAY_JOURNAL, which has to outlive the container.
ENV NODE_ENV=production \
    GATEWAY_HOST=0.0.0.0 \
    GATEWAY_METRICS_HOST=0.0.0.0 \
    GATEWAY_JOURNAL=/var/lib/presenza/journal
COPY --from=runtime /runtime/ /
# A new volume that is mounted on the journal takes over this owner.
COPY --from=build --chown=10001:10001 /volumes/ /var/lib/presenza/
WORKDIR /app/gateway
COPY --from=build /packages/node_modules /app/node_modules
COPY --from=build /packages/gateway ./
USER 10001:10001
EXPOSE 8080 9180 9181
# The process drains on SIGTERM and starts no child, so it needs no init to forward signals or to reap.
# Give it 75 s: "Shutdown" in operations/failures.mdx of the documentation.
STOPSIGNAL SIGTERM
# Heap for the garbage of requests: "Options of Node.js" in operations/configuration.mdx of the documentation.
CMD ["node", "--max-semi-space-size=64", "--initial-old-space-size=256", "dist/main.js"]
