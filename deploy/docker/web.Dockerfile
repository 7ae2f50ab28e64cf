# syntax=docker/dockerfile:1.7.1@sha256:a57df69d0ea827fb7266491f2813635de6f17269be881f696fbfdf2d83dda33e
#
# The site with its documentation, the hosted page of liveness checks, and its server, which sends compressed files,
# cache headers and a content security policy for each page. Build it from the repository's root:
#
#   docker build -f deploy/docker/web.Dockerfile --build-arg SITE_URL=https://presenza.example.com \
#     -t presenza/web:1.0.0 .
#
# API_URL sets the public address of the API when it runs.

# One line to change for another Node; Renovate keeps tag and digest together.
ARG NODE_IMAGE=docker.io/library/node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY gateway/package.json gateway/
COPY gateway/contract/package.json gateway/contract/
COPY inference/package.json inference/
COPY web/package.json web/
COPY web/component/package.json web/component/
COPY benchmarks/package.json benchmarks/
COPY deploy/docker/npm-limit.cjs deploy/docker/
RUN --mount=type=cache,target=/root/.npm \
    NODE_OPTIONS=--require=/app/deploy/docker/npm-limit.cjs npm ci
# The demos show results of the inference tier, so it is built first.
COPY tsconfig.base.json ./
COPY gateway/contract gateway/contract
COPY inference inference
COPY gateway/src/config/config.schema.json gateway/src/config/
RUN node_modules/.bin/tsc -b inference \
    && MODELS_CACHE=/models node inference/dist/commands/cli.js compile
COPY benchmarks/results benchmarks/results
COPY web web
# The site has a page of all releases, and the license is in each download.
COPY CHANGELOG.md LICENSE ./
# The build starts the inference tier through the harness.
COPY gateway/harness gateway/harness
# The site's address for canonical links, the address for page views of visitors who agreed, and that of the source code
# for edit links and the clone command (empty: none).
ARG SITE_URL=http://127.0.0.1:8000
ARG ANALYTICS_URL=
ARG REPOSITORY_URL=
WORKDIR /app/web
RUN node component/build.mjs
RUN CI=true GATSBY_TELEMETRY_DISABLED=1 NODE_ENV=production MODELS_CACHE=/models \
    SITE_URL="${SITE_URL}" ANALYTICS_URL="${ANALYTICS_URL}" REPOSITORY_URL="${REPOSITORY_URL}" \
    node ../node_modules/gatsby/cli.js build \
    && find public -name '*.map*' -delete
WORKDIR /app
COPY deploy/docker/assemble.mjs deploy/docker/
# The imports of serve.mjs; all other packages are already in the built pages.
RUN node deploy/docker/assemble.mjs --from web --only helmet,send,accepts,mime-types --to /packages

# The root of the image: Node, its libraries and a user, without a shell and without npm.
FROM ${NODE_IMAGE} AS runtime
COPY deploy/docker/runtime.mjs /
RUN node /runtime.mjs --to /runtime

FROM scratch AS web
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Presenza web" \
      org.opencontainers.image.description="Site, documentation and the hosted page of liveness checks" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# A page in transfer to a phone has nine seconds: `docker stop` kills after ten.
ENV NODE_ENV=production \
    WEB_HOST=0.0.0.0 \
    WEB_DRAIN_MS=9000
COPY --from=runtime /runtime/ /
WORKDIR /app/web
COPY --from=build /packages/node_modules /app/node_modules
COPY --from=build /app/web/package.json /app/web/serve.mjs /app/web/policies.mjs /app/web/redirects.mjs \
    /app/web/static-files.mjs ./
COPY --from=build /app/web/public public
USER 10001:10001
EXPOSE 8000
# The process drains on SIGTERM and starts no child, so it needs no init to forward signals or to reap.
STOPSIGNAL SIGTERM
CMD ["node", "serve.mjs"]
