import { Command } from 'commander';
import { createServer } from 'vite';
import { product } from '#contracts/kernel/product.ts';
import { panelConfig } from './panel.ts';

/** The panel from its sources, reloaded at each change, in front of an API that already runs. */

interface Options {
  readonly api: string;
  readonly port: string;
}

const { api, port } = new Command('node build/panel-dev.ts')
  .description('Serves the panel from its sources and passes /api on to a running API.')
  .option('--api <url>', 'the API', `http://127.0.0.1:${product.apiPort}`)
  .option('--port <number>', 'where the panel is served', '5173')
  .parse()
  .opts<Options>();

const server = await createServer({
  ...panelConfig,
  logLevel: 'info',
  server: {
    port: Number(port),
    strictPort: true,
    host: '127.0.0.1',
    proxy: {
      '/api': {
        target: api,
        ws: true,
        changeOrigin: true,
        // The API accepts changes only from its own pages, so this server poses as one of them.
        headers: { Origin: new URL(api).origin },
      },
    },
  },
});
await server.listen();
server.printUrls();
