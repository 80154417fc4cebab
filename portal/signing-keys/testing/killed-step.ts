import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { systemClock } from '#runtime/clock.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { createSecretBox } from '#runtime/secret-box.ts';
import type { PortalTables } from '../../database/tables.ts';
import { createSigningKeys } from '../signing-keys.ts';

/**
 * A process that does one step of the signing keys and kills itself right after one of its statements; it ends normally
 * if the step has fewer. Arguments: database, master key, step, after which statement.
 */
const [databaseUrl = '', masterKey = '', step = '', after = '0'] = process.argv.slice(2);
let statements = 0;
const db = new Kysely<PortalTables>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }),
  log: () => {
    statements += 1;
    if (statements === Number(after)) process.kill(process.pid, 'SIGKILL');
  },
});
const signingKeys = createSigningKeys({
  db,
  box: createSecretBox([new Secret(masterKey)]),
  clock: systemClock,
  log: createLog({ component: 'test', level: 'silent' }),
  onChange: async () => undefined,
});
const kidOf = async (state: string) =>
  (await signingKeys.list()).find((key) => key.state === state)?.kid ?? '';

if (step === 'rotate') await signingKeys.rotate({ activeKid: null, urgent: true });
else if (step === 'retire') await signingKeys.retire(await kidOf('retiring'));
else await signingKeys.revoke([await kidOf('active')]);
await db.destroy();
