import * as z from 'zod';
import { systemClock } from '#runtime/clock.ts';
import { checkDiscord } from '#runtime/discord/check-discord.ts';
import { exchange } from '#runtime/license/portal/exchange.ts';
import { explainFailure } from '#runtime/license/portal/failure.ts';
import { outside, setUpOutside } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { createFileRequests } from '../../../agent/mods/downloads/file-request.ts';
import { lookUpPortal } from '../../../electron/first-start/look-up-portal.ts';
import { fetchRelease } from '../../../electron/updates/fetch-release.ts';
import { UpdateTroubleError } from '../../../electron/updates/update-trouble.ts';
import { createSourceHttp } from '../../../server/mods/sources/source-http.ts';

const [origin = '', proxy = ''] = process.argv.slice(2);
setUpOutside({ trustedCaFile: undefined, proxy: proxy === '' ? undefined : new Secret(proxy), noProxy: '' });
const signal = AbortSignal.timeout(40_000);
const url = new URL(`${origin}/x`);

const portal = await exchange({ url, timeoutMs: 40_000 }).then(
  ({ status }) => status,
  (error) => explainFailure(error, url),
);
const asked = { url: origin, publicKey: '', isPlainConfirmed: false };
const lookUp = await lookUpPortal(asked);
const discord = await checkDiscord(
  { token: 'wrong', clientId: '', guildId: '' },
  { apiUrl: `${origin}/api`, timeoutMs: 40_000 },
);
const source = createSourceHttp({
  source: 'modrinth',
  baseUrl: origin,
  clock: systemClock,
  log: { warn: (...told: unknown[]) => process.stderr.write(`${JSON.stringify(told)}\n`) },
});
const mods = await source.ask('/x', { schema: z.object({ ok: z.boolean() }), signal });
const requests = createFileRequests(url.hostname === 'localhost' ? [url.host] : []);
const file = await requests
  .get({ url, headers: {}, secretHeaders: {}, idleMs: 40_000, signal })
  .then((answer) => answer.destroy().statusCode)
  .catch((error: Error) => error.message);
const update = await fetchRelease({ url: `${origin}/`, keys: [] }, null, {
  fetch: (address, init) => outside().fetch(new URL(address), { ...init, redirect: 'error' }),
}).catch((error: unknown) => (error instanceof UpdateTroubleError ? error.code : String(error)));
const reached = { portal, lookUp: lookUp.outcome, discord: discord.outcome, mods, file, update };
process.stdout.write(JSON.stringify(reached), () => process.exit(0));
