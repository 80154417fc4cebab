import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openModFiles } from '../../agent/mods/downloads/open-mod-files.ts';
import { noApiFiles } from '../../agent/mods/downloads/testing/no-api-files.ts';
import { startFileHost } from '../simulators/file-host.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const run = promisify(execFile);
const rounds = 5;
const packBytes = 200_000_000;
const largeBytes = 1_000_000_000;
const dropEvery = 20_000_000;

export const modsBench: Bench = {
  summary: 'downloads of mods, verified, beside curl and sha512sum, and 1 GB over a line that drops',
  async run(say) {
    await using folder = await temporaryFolder('bench-mods');
    await using host = await startFileHost();
    const fetchWith = async (content: Buffer) => {
      const cacheFolder = join(folder.path, 'cache');
      await rm(cacheFolder, { recursive: true, force: true });
      const files = await openModFiles({
        cacheFolder,
        cacheMegabytes: 5000,
        allowHosts: [host.hostPort],
        api: noApiFiles,
      });
      const sha512 = createHash('sha512').update(content).digest('hex');
      const began = performance.now();
      await using _held = await files.fetch(
        {
          name: 'pack.zip',
          bytes: content.length,
          hashes: { sha512 },
          from: { kind: 'address', url: host.url(), key: null },
        },
        { taskId: 'bench', signal: AbortSignal.timeout(600_000), onProgress: () => undefined },
      );
      return performance.now() - began;
    };
    const curl = async () => {
      const path = join(folder.path, 'curl.zip');
      const began = performance.now();
      await run('curl', ['-s', '-o', path, host.url()]);
      await run('sha512sum', [path]);
      await run('sync', [path]);
      return performance.now() - began;
    };

    const pack = randomBytes(packBytes);
    host.put('/file', pack);
    const [agentMs, curlMs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1} of ${rounds}`);
      agentMs.push(await fetchWith(pack));
      curlMs.push(await curl());
    }
    say('1 GB over a line that drops every 20 MB');
    const large = Buffer.alloc(largeBytes, randomBytes(1_000_003));
    host.put('/file', large);
    host.behave({ dropEvery });
    const sentBefore = host.sentBytes;
    const largeMs = await fetchWith(large);
    const twice = ((host.sentBytes - sentBefore) / largeBytes - 1) * 100;
    const ratio = median(agentMs) / median(curlMs);
    return {
      title: 'Downloads of mods',
      tables: {
        '200 MB, downloaded, verified and flushed': {
          agent: { 'median ms': median(agentMs), 'slowest ms': Math.max(...agentMs) },
          'curl, sha512sum, sync': { 'median ms': median(curlMs), 'slowest ms': Math.max(...curlMs) },
        },
        '1 GB, dropped every 20 MB': {
          agent: { ms: largeMs, requests: host.requests.length, 'sent twice %': twice },
        },
      },
      aims: [
        { what: 'time beside curl', value: ratio, aim: 'at most 1.3 times', met: ratio <= 1.3 },
        { what: 'percent sent twice', value: twice, aim: 'at most 5', met: twice <= 5 },
      ],
    };
  },
};
