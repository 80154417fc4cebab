import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startFileHost } from '../simulators/file-host.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const run = promisify(execFile);
const rounds = 5;
/** As in current packs: most files are small settings, and most bytes are in jars, which do not compress. */
const smallFiles = 1800;
const largeFiles = 200;
const largeBytes = 1_000_000_000;
const dropEvery = 20_000_000;

const pack = (): Promise<Buffer> => {
  const zip = new ZipFile();
  for (let count = 0; count < smallFiles; count += 1) {
    const text = `# option ${count}\n`.repeat(1 + (count % 400));
    zip.addBuffer(Buffer.from(text), `config/mod-${count % 60}/file-${count}.toml`);
  }
  for (let count = 0; count < largeFiles; count += 1)
    zip.addBuffer(randomBytes(200_000 + (count % 10) * 180_000), `mods/mod-${count}.jar`);
  zip.end();
  return buffer(zip.outputStream);
};

export const modsBench: Bench = {
  summary: 'downloads of mods, verified and unpacked, beside curl and unzip, and 1 GB over a line that drops',
  async run(say) {
    await using folder = await temporaryFolder('bench-mods');
    await using host = await startFileHost();
    const cacheFolder = join(folder.path, 'cache');
    const into = join(folder.path, 'unpacked');
    const clear = () =>
      Promise.all([cacheFolder, into].map((path) => rm(path, { recursive: true, force: true })));

    const agent = async (content: Buffer, target: string) => {
      await clear();
      const sha512 = createHash('sha512').update(content).digest('hex');
      const { stdout } = await run(process.execPath, [
        join(import.meta.dirname, 'fetch-and-unpack-main.ts'),
        ...[host.url(), sha512, String(content.length), cacheFolder, target],
      ]);
      return JSON.parse(stdout) as { readonly fetchedMs: number; readonly ms: number };
    };
    /** @param proves whether it also verifies what the agent verifies: the hash, and that everything is on the disk */
    const shell = async (proves: boolean) => {
      await clear();
      const path = join(folder.path, 'curl.zip');
      const began = performance.now();
      await run('curl', ['-s', '-o', path, host.url()]);
      if (proves) await run('sha512sum', [path]);
      await run('unzip', ['-q', path, '-d', into]);
      if (proves) await run('sync', ['-f', into]);
      return performance.now() - began;
    };

    const content = await pack();
    host.put('/file', content);
    const [agentMs, plainMs, provenMs]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1} of ${rounds}`);
      agentMs.push((await agent(content, into)).ms);
      plainMs.push(await shell(false));
      provenMs.push(await shell(true));
    }
    say('1 GB over a line that drops every 20 MB');
    const large = Buffer.alloc(largeBytes, randomBytes(1_000_003));
    host.put('/file', large);
    host.behave({ dropEvery });
    const [sentBefore, askedBefore] = [host.sentBytes, host.requests.length];
    const { fetchedMs } = await agent(large, '');
    const twice = ((host.sentBytes - sentBefore) / largeBytes - 1) * 100;
    const ratio = median(agentMs) / median(plainMs);
    const shown = (ms: number[]) => ({ 'median ms': median(ms), 'slowest ms': Math.max(...ms) });
    return {
      title: 'Downloads of mods',
      tables: {
        [`${Math.round(content.length / 1e6)} MB with ${smallFiles + largeFiles} files`]: {
          'agent: download, verify, unpack, flush': shown(agentMs),
          'curl, unzip': shown(plainMs),
          'curl, sha512sum, unzip, sync': shown(provenMs),
        },
        '1 GB, dropped every 20 MB': {
          agent: { ms: fetchedMs, requests: host.requests.length - askedBefore, 'sent twice %': twice },
        },
      },
      aims: [
        { what: 'time beside curl and unzip', value: ratio, aim: 'at most 1.3 times', met: ratio <= 1.3 },
        { what: 'percent sent twice', value: twice, aim: 'at most 5', met: twice <= 5 },
      ],
    };
  },
};
