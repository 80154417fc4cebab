import { join } from 'node:path';
import * as z from 'zod';
import type { CrashReport } from '#contracts/servers/agent-tasks.ts';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import type { Log } from '#runtime/log.ts';
import { readJsonFile } from '#runtime/read-json.ts';
import { cutText } from '../game/cut-text.ts';
import { isOfThisBoot, sinceBootMs } from './process/process-identity.ts';

const keptCrash = z.object({
  boot: z.string(),
  sinceBootMs: z.number(),
  wallTime: z.iso.datetime(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  ranMs: z.number().nullable(),
  lines: z.array(z.string()),
});
type KeptCrash = z.infer<typeof keptCrash>;

export interface CrashReports {
  add(crash: Pick<KeptCrash, 'exitCode' | 'signal' | 'ranMs' | 'lines'>): Promise<void>;
  last(): CrashReport | null;
}

const mostReports = 20;
const mostLines = 50;
const longestLine = 1000;

/** The last crashes, in a file that people can read too. */
export const openCrashReports = async (
  powerFolder: string,
  boot: string,
  log: Log,
): Promise<CrashReports> => {
  const path = join(powerFolder, 'crashes.json');
  let kept: readonly KeptCrash[] = await readKept(path);
  return {
    async add(crash) {
      const lines = crash.lines.slice(-mostLines).map((line) => cutText(line, longestLine));
      const wallTime = new Date().toISOString();
      kept = [...kept, { ...crash, lines, boot, sinceBootMs: sinceBootMs(), wallTime }].slice(-mostReports);
      await writeFileAtomically(path, `${JSON.stringify(kept, null, 2)}\n`, 0o600).catch((error: Error) =>
        log.warn({ err: error }, 'could not write a crash report'),
      );
    },
    last() {
      const crash = kept.at(-1);
      if (!crash) return null;
      const { exitCode, signal, lines } = crash;
      return { ageMs: ageOf(crash), exitCode, signal, lines };
    },
  };
};

/** Only the wall clock reaches back before the start of the machine. */
const ageOf = (crash: KeptCrash): number =>
  Math.max(
    0,
    isOfThisBoot(crash.boot, crash.sinceBootMs)
      ? sinceBootMs() - crash.sinceBootMs
      : Date.now() - Date.parse(crash.wallTime),
  );

const readKept = async (path: string): Promise<KeptCrash[]> =>
  // None yet, or a damaged file: reports are for people and decide nothing.
  (await readJsonFile(z.array(keptCrash), path)) ?? [];
