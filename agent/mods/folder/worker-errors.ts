import * as z from 'zod';
import { ArchiveError, type ArchiveFault } from '#runtime/archives/archive.ts';
import { DiskFullError } from '#runtime/disk-space.ts';
import { StartupError } from '#runtime/program.ts';
import type { GameAccount } from '../../power/holder/game-account.ts';
import { SavesError } from '../../saves/saves-error.ts';
import { ModsError, modsWords } from '../mods-error.ts';
import { ModsRehearsalError } from '../rehearsal/rehearsal-error.ts';

/** The process that works in the server's folder has ended before its answer, for example by a kill. */
export class FolderWorkerError extends Error {
  override readonly name = 'FolderWorkerError';
}

export const toldError = z.object({
  /** Null: an error that is not reported in words. */
  kind: z.enum(['archive', 'disk-full', 'mods', 'rehearsal', 'saves', 'startup']).nullable(),
  message: z.string(),
  code: z.string().optional(),
  path: z.string().optional(),
  /** Only for errors of an archive. */
  fault: z.string().optional(),
});
type ToldError = z.infer<typeof toldError>;

const kindOf = (error: unknown): ToldError['kind'] => {
  if (error instanceof ArchiveError) return 'archive';
  if (error instanceof DiskFullError) return 'disk-full';
  if (error instanceof ModsError) return 'mods';
  if (error instanceof ModsRehearsalError) return 'rehearsal';
  if (error instanceof SavesError) return 'saves';
  return error instanceof StartupError ? 'startup' : null;
};

export const tellError = (error: unknown): ToldError => {
  const { message, code, path } = error as NodeJS.ErrnoException;
  return {
    kind: kindOf(error),
    message: String(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof path === 'string' && { path }),
    ...(error instanceof ArchiveError && { fault: error.fault }),
  };
};

/** The same error as in the account's process. */
export const errorOf = ({ kind, message, fault, ...facts }: ToldError, account: GameAccount): Error => {
  if (kind === 'archive') return new ArchiveError((fault ?? 'damaged') as ArchiveFault, message);
  if (kind === 'disk-full') return new DiskFullError(message);
  if (kind === 'mods') return new ModsError(message);
  if (kind === 'rehearsal') return new ModsRehearsalError(message);
  if (kind === 'saves') return new SavesError(message);
  if (kind === 'startup') return new StartupError(message);
  const denied = deniedBy(account, facts);
  return denied === null ? Object.assign(new Error(message), facts) : new ModsError(denied);
};

type Facts = Pick<ToldError, 'code' | 'path'>;

const deniedBy = ({ name }: GameAccount, { code, path }: Facts): string | null =>
  path !== undefined && (code === 'EACCES' || code === 'EPERM')
    ? `${path}: the account ${name}, whose rights count in the server's folder, may not do that.`
    : null;

/** @param account null: the agent's own */
export const fileFaultWords = (facts: Facts, account: GameAccount | null): string =>
  (account && deniedBy(account, facts)) ??
  modsWords(Object.assign(new Error(`${facts.path}: ${facts.code}`), facts));
