# syntax=docker/dockerfile:1.7.1@sha256:a57df69d0ea827fb7266491f2813635de6f17269be881f696fbfdf2d83dda33e
#
# The inference tier, its models compiled in. Build it from the repository's root, for a processor or a GPU:
#
#   docker build -f deploy/docker/inference.Dockerfile --target cpu -t presenza/inference:1.0.0 .
#   docker build -f deploy/docker/inference.Dockerfile --target gpu -t presenza/inference:1.0.0-gpu .
#
# `gpu` computes with ONNX Runtime's CUDA provider, which exists for one version of CUDA. The build compares it with the
# version of the base.

# One line to change for each base; Renovate keeps tag and digest together.
ARG NODE_IMAGE=docker.io/library/node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e
ARG CUDA_IMAGE=docker.io/nvidia/cuda:13.0.2-cudnn-runtime-ubuntu24.04@sha256:14d94b039cb94bbd5da559f303b46bc4b0d5d6c24ab1a9d7b186e566ed3400dc

FROM ${NODE_IMAGE} AS node

FROM node AS build
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
    npm ci --include-workspace-root -w gateway/contract -w inference
COPY tsconfig.base.json ./
COPY gateway/contract gateway/contract
COPY inference inference
RUN node_modules/.bin/tsc -b inference
# The models that serve by default. INFERENCE_MODELS can select only from these. If the file of sface cannot be fetched, a
# less accurate model takes its place, and the build says so.
ARG MODELS="yunet-256 yunet facemesh sface nsfw-mobilenet-mid centernet face-expression age-gender faceres"
# An https address that holds the published files of models, where the build cannot reach those of their authors.
ARG MODELS_MIRROR=""
# hadolint ignore=SC2086
RUN MODELS_CACHE=/models node inference/dist/commands/cli.js compile --fallback ${MODELS}
COPY deploy/docker/assemble.mjs deploy/docker/
COPY gateway/harness/setup/cuda-provider.mjs gateway/harness/setup/

# Compiled models do not need their originals, except for the versions in their file names.
FROM build AS cpu-packages
RUN rm -rf /models/originals
RUN node deploy/docker/assemble.mjs --from inference --to /packages \
    --files gateway/contract,inference/package.json,inference/models,inference/dist \
    --manifest-only @tensorflow/tfjs,@tensorflow/tfjs-backend-wasm,@vladmandic/face-api,@vladmandic/human,nsfwjs

# The CUDA provider comes from one archive, pinned by hash. On a GPU, an image with one near face takes one graph.
FROM build AS gpu-packages
# hadolint ignore=SC2086
RUN MODELS_CACHE=/models INFERENCE_DEVICE=cuda node inference/dist/commands/cli.js compile --fallback ${MODELS} \
    && rm -rf /models/originals
RUN node gateway/harness/setup/cuda-provider.mjs
RUN node deploy/docker/assemble.mjs --from inference --to /packages \
    --files gateway/contract,inference/package.json,inference/models,inference/dist \
    --manifest-only @tensorflow/tfjs,@tensorflow/tfjs-backend-wasm,@vladmandic/face-api,@vladmandic/human,nsfwjs

# The root of the image: Node, its libraries and a user, without a shell and without npm.
FROM node AS runtime
COPY deploy/docker/runtime.mjs /
RUN node /runtime.mjs --to /runtime

FROM ${CUDA_IMAGE} AS cuda-checked
# readelf, in this stage only.
RUN apt-get update && apt-get install -y --no-install-recommends binutils && rm -rf /var/lib/apt/lists/*
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY deploy/docker/check-cuda.mjs /
COPY --from=gpu-packages /packages/node_modules/onnxruntime-node/bin/napi-v6/linux/x64 /provider
# The provider opens cuDNN at run time, so no ELF header lists it.
RUN node /check-cuda.mjs --libraries /provider --opens libcudnn.so.9 --report /cuda.txt

FROM ${CUDA_IMAGE} AS gpu
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Presenza inference, NVIDIA GPU" \
      org.opencontainers.image.description="Face detection, comparison, moderation and liveness signals on ONNX Runtime with CUDA" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# This image is for GPUs. Without one, the tier reports that and exits instead of serving slowly from the CPU.
ENV NODE_ENV=production \
    MODELS_CACHE=/opt/presenza/models \
    MALLOC_ARENA_MAX=2 \
    INFERENCE_HOST=0.0.0.0 \
    INFERENCE_DEVICE=cuda
WORKDIR /app/inference
COPY --from=node /usr/local/bin/node /usr/local/bin/
# This copy also makes the check part of the build.
COPY --from=cuda-checked /cuda.txt /opt/presenza/
COPY --from=gpu-packages /models /opt/presenza/models
COPY --from=gpu-packages /packages/node_modules /app/node_modules
COPY --from=gpu-packages /packages/gateway /app/gateway
COPY --from=gpu-packages /packages/inference ./
USER 10001:10001
EXPOSE 9100
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]

# The last stage is the one that a build without --target makes.
FROM scratch AS cpu
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Presenza inference" \
      org.opencontainers.image.description="Face detection, comparison, moderation and liveness signals on ONNX Runtime" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Two arenas, because each thread that decodes images would otherwise keep an arena of freed memory. The process sets
# UV_THREADPOOL_SIZE to the processors of its container. Without CUDA there is no need to look for a GPU.
ENV NODE_ENV=production \
    MODELS_CACHE=/opt/presenza/models \
    MALLOC_ARENA_MAX=2 \
    INFERENCE_HOST=0.0.0.0 \
    INFERENCE_DEVICE=cpu
COPY --from=runtime /runtime/ /
WORKDIR /app/inference
COPY --from=cpu-packages /models /opt/presenza/models
COPY --from=cpu-packages /packages/node_modules /app/node_modules
COPY --from=cpu-packages /packages/gateway /app/gateway
COPY --from=cpu-packages /packages/inference ./
USER 10001:10001
EXPOSE 9100
# The process drains on SIGTERM and starts only threads, so it needs no init. Give it 30 s: 10 s for
# requests, then the queue.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
