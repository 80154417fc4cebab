import { join } from 'node:path';
import { folderFindingWords } from '#contracts/operations/folder-findings.ts';
import { demandAnswer } from '../answering-folder.ts';
import { isThere } from '../path-access.ts';
import { databaseIn } from '../postgres/database-state.ts';
import { StartupError } from '../program.ts';
import { checkFolder, type FolderQuestion, refusalIn } from './check-folder.ts';

type Question = Omit<FolderQuestion, 'asker'>;

/**
 * Asks, before anything is written into a data folder, whether it may be there. One that holds an installation is refused only where
 * nothing could run.
 * @returns what a person should know, in words
 * @throws {StartupError} where no data folder may be made, or the one that is there cannot be used
 */
export const demandDataFolder = async (home: string, question: Question): Promise<readonly string[]> => {
  await demandAnswer(home);
  const isPresent =
    isThere(join(home, '.env'), home) || databaseIn(join(home, 'postgres', 'data')) !== 'none';
  const asker = isPresent ? 'present-home' : 'new-home';
  const findings = await checkFolder(home, { ...question, asker });
  const refusal = refusalIn(findings);
  if (refusal !== null) throw new StartupError(`${home} cannot be the data folder. ${refusal.detail}`);
  return findings.map(({ code, detail }) => `warning: ${ended(detail)} ${folderFindingWords.en[code]}`);
};

const ended = (detail: string): string => (/[.!?]$/.test(detail) ? detail : `${detail}.`);

/** As `demandDataFolder`, for a folder that a backup is to be kept in. */
export const demandBackupFolder = async (folder: string, question: Question): Promise<readonly string[]> => {
  const findings = await checkFolder(folder, { ...question, asker: 'backup' });
  const refusal = refusalIn(findings);
  if (refusal !== null) throw new StartupError(`${folder} cannot hold backups. ${refusal.detail}`);
  return findings.map(({ detail }) => `warning: ${detail} A backup there may be lost, or read by others.`);
};
