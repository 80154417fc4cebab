import { readApiProcess } from '#contracts/operations/supervision.ts';
import { Secret } from '#runtime/secret.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../server/kernel/testing/when-in-use.ts';
import type { ShopAnswer, ShopMessage } from './shop-process.ts';

/** Messages from the purchase test to its API over IPC; the first one starts it. */
let api: ReturnType<typeof startTestApi> | undefined;

const answer = (message: ShopAnswer) => process.send?.(message);

const start = async ({ databaseUrl, home, port }: Extract<ShopMessage, { type: 'start' }>) => {
  const options = {
    databaseUrl: new Secret(databaseUrl),
    home,
    port,
    workers: [],
    process: readApiProcess(process.env),
  };
  api = startTestApi({ ...options, pollingIntervalMs: 500 });
  await whenInUse(await api);
  answer({ type: 'ready' });
};

process.on('message', async (message: ShopMessage) => {
  if (message.type === 'start') return start(message);
  const running = await api;
  await running?.context.people.presence.observe(message.serverId, message.events);
  answer({ type: 'observed', number: message.number });
});
process.on('disconnect', () => process.exit(0));
