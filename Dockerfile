# One image for every process of the product; compose.yaml says which does what. A base image stands by its tag: pin it by
# digest as docs/operations.md tells, under *In containers*.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# What only the browser's bundle is made of, what only builds or tests, and the packages of Node and PostgreSQL.
RUN npm uninstall --omit=dev --omit=optional --no-audit --no-fund \
      @mantine/charts @mantine/core @mantine/hooks @mantine/spotlight @tabler/icons-react @tanstack/react-query radix-ui react react-dom \
      qr react-router recharts \
  && rm -rf src/web src/simulators \
  && find src -depth \( -name '*.test.ts' -o -name 'test-support.ts' -o -name testing \) -exec rm -rf {} +

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/db/migrations ./db/migrations
COPY --from=build /app/src ./src
USER node
EXPOSE 3000
CMD ["node", "src/server/main.ts"]
