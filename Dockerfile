# Builds with the development tools, runs without them.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY build.ts app.yml ./
COPY src ./src
COPY local-github ./local-github
RUN npx tsx build.ts && npm prune --omit=dev

FROM node:22-bookworm-slim
# git does the work in repositories, git-lfs fetches the content behind pointers; tini reaps what runners leave behind; bubblewrap keeps runners in, where the host lets a container do that.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git git-lfs ca-certificates tini bubblewrap \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json app.yml ./
RUN ln -s /app/dist/cli/main.js /usr/local/bin/wavetrain \
  && chmod +x dist/cli/main.js \
  && mkdir -p /data && chown node:node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WAVETRAIN_DATA_DIR=/data WAVETRAIN_CONFIG=/data/wavetrain.config.yml
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ping`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "wavetrain"]
CMD ["start"]
