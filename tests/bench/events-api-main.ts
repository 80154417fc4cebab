import { text } from 'node:stream/consumers';
import { Secret } from '#runtime/secret.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';

// The database's address contains a password, so it comes by stdin. The process runs until it is killed.
const api = await startTestApi({ databaseUrl: new Secret(await text(process.stdin)) });
process.stdout.write(`${api.port}\n`);
