import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { BundleProgress, BundleReport } from '#contracts/desktop/desktop-diagnostics.ts';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { whenNotBusy } from '#runtime/busy-file.ts';
import { StartupError } from '#runtime/program.ts';
import { within } from '#runtime/within.ts';
import { createBundleRedactor } from './bundle-redactor.ts';
import { type BundleSources, bundleSections } from './bundle-sections.ts';
import { describeBundle, type MissingPart } from './bundle-words.ts';
import { readInstallationFacts } from './installation-facts.ts';
import { readLicenseStatus } from './license-facts.ts';
import { logFilesOf, readLogTail, type TailLimits } from './log-tails.ts';
import { zipFile } from './zip-file.ts';

export interface BundleOptions extends BundleSources {
  /** The file to write; an existing one is replaced once the new one is complete. */
  readonly out: string;
  readonly onProgress?: (progress: BundleProgress) => void;
  readonly limits?: TailLimits;
  readonly now?: () => Date;
}

/** What people can still send by mail, packed. */
const usualLimits: TailLimits = { fileBytes: 5 * 2 ** 20, allBytes: 50 * 2 ** 20 };

/**
 * Puts everything that helps to understand an installation into one .zip, without a secret. It names what is unavailable;
 * only a bundle that cannot be written is a failure, and leaves nothing behind.
 * @throws {StartupError} when it cannot be written
 */
export const makeBundle = async (options: BundleOptions): Promise<BundleReport> => {
  const { out } = options;
  const half = `${out}.${randomUUID()}.part`;
  try {
    await using file = await open(half, 'wx', 0o600);
    using zip = zipFile(file, (options.now ?? nowOf)());
    const missing = await fill(options, zip);
    await file.sync();
    const { size: bytes } = await file.stat();
    await file.close();
    await whenNotBusy(() => rename(half, out));
    return { path: out, bytes, missing };
  } catch (error) {
    await rm(half, { force: true }).catch(() => undefined);
    throw unwritten(out, error as NodeJS.ErrnoException);
  }
};

const nowOf = () => new Date();

const unwritten = (out: string, error: NodeJS.ErrnoException): Error => {
  if (error.code === undefined) return error;
  const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
  return new StartupError(`${out} cannot be written: ${why}`, { cause: error });
};

const fill = async (
  { home, onProgress, limits = usualLimits, now = nowOf, ...sources }: BundleOptions,
  zip: ReturnType<typeof zipFile>,
): Promise<MissingPart[]> => {
  const facts = await readInstallationFacts(home);
  const license = facts.config && (await inTime(readLicenseStatus(home, facts.config)).catch(() => null));
  const secrets = [...facts.secrets, hiddenPart((license as LicenseStatus | null)?.hwid ?? null)];
  const { redact, redactLong } = createBundleRedactor(secrets);
  const missing: MissingPart[] = [];
  const miss = (name: string, error: unknown) =>
    missing.push({ name, why: redact((error as Error).message) });

  const sections = bundleSections({ home, ...sources }, facts);
  const logs = await inTime(logFilesOf(home)).catch((error: unknown) => {
    miss('logs/', error);
    return [];
  });
  let done = 0;
  const all = sections.length + logs.length + 1;
  const step = () => {
    done += 1;
    onProgress?.({ done, all });
  };

  for (const section of sections) {
    const content = await inTime(section.read).catch((error: unknown) => {
      miss(section.file, error);
      return null;
    });
    if (content !== null) {
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
      await zip.add(section.file, Buffer.from(await redactLong(text)));
    }
    step();
  }

  let room = limits.allBytes;
  for (const name of logs) {
    const bytes = Math.min(limits.fileBytes, room);
    const tail = await inTime(() => readLogTail(home, name, bytes)).catch((error: unknown) => {
      miss(`logs/${name}`, error);
      return null;
    });
    if (tail) {
      if (tail.leftOut > 0) miss(`logs/${name}`, new Error(`its oldest ${tail.leftOut} bytes are left out`));
      const clean = Buffer.from(await redactLong(tail.text));
      room = Math.max(0, room - clean.length);
      await zip.add(`logs/${name}`, clean);
    }
    step();
  }
  await zip.add('README.txt', Buffer.from(redact(describeBundle({ sections, missing, at: now() }))));
  await zip.finish();
  step();
  return missing;
};

const partMs = 20_000;

/** The rest of the bundle does not wait for a drive that hangs, or a program that never answers. */
const inTime = async <T>(work: Promise<T> | (() => Promise<T> | T)): Promise<T> =>
  within(partMs, Promise.resolve(typeof work === 'function' ? work() : work), () => {
    throw new Error(`it took longer than ${partMs / 1000} s`);
  });

/** These digits of a machine's ID tell two machines apart, without identifying one. */
const shownDigits = 16;

/** The part of the machine's ID that does not leave it. */
const hiddenPart = (hwid: string | null): string => hwid?.replace(/^sha256:/, '').slice(shownDigits) ?? '';
