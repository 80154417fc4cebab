import { text } from 'node:stream/consumers';
import { Secret } from '#runtime/secret.ts';
import { startTestApi } from '../../server/kernel/testing/test-api.ts';

// The connection string contains a password, so it comes by stdin. The process runs until it is killed.
const databaseUrl = new Secret(await text(process.stdin));
const api = await startTestApi({ databaseUrl, trustProxy: ['loopback'] });
process.stdout.write(`${api.port}\n`);
