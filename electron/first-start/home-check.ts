import { isAbsolute, join } from 'node:path';
import type { HomeReport } from '#contracts/desktop/desktop-first-run.ts';
import { silentFolder } from '#runtime/answering-folder.ts';
import {
  checkFolder,
  type FolderFinding,
  type FolderQuestion,
  isSilent,
  refusalIn,
} from '#runtime/folder-check/check-folder.ts';
import { accessTo, noAccessWords } from '#runtime/path-access.ts';
import { databaseIn, halfDatabaseWords } from '#runtime/postgres/database-state.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { postgresFolder } from '../stack/operator-role.ts';

type HomeCheck =
  | Exclude<HomeReport, { outcome: 'taken-up' }>
  | { readonly outcome: 'taken-up'; readonly warnings: readonly FolderFinding[] };

/** A year of log files (each program keeps 60 MiB), the 512 MB log of Postgres, its tables, and a backup of them. */
export const firstYearBytes = 3 * 1024 ** 3;

/**
 * Whether an installation can live in a folder, which need not exist yet, or does already. Leaves nothing behind.
 * @param question without who asks: an installation that is there is used where a new one would be refused
 */
export const checkHome = async (
  home: string,
  question: Omit<FolderQuestion, 'asker'>,
): Promise<HomeCheck> => {
  if (await isSilent(home)) return { outcome: 'not-writable', detail: silentFolder(home) };
  const access = isAbsolute(home) ? accessTo(stackEnvPath(home)) : 'absent';
  if (access === 'closed' || (isAbsolute(home) && accessTo(postgresFolder(home)) === 'closed'))
    return { outcome: 'no-access', detail: noAccessWords(home) };
  const database = isAbsolute(home) ? stateOf(home) : 'none';
  const asker = access === 'there' ? 'present-home' : 'new-home';
  const findings = await checkFolder(home, { ...question, asker });
  const refusal = refusalIn(findings) ?? (database === 'whole' ? null : findings.find(isOfPath));
  if (refusal) return { outcome: refusal.code, detail: refusal.detail };
  if (access === 'there') return { outcome: 'taken-up', warnings: findings };
  const dataFolder = join(postgresFolder(home), 'data');
  if (database === 'whole')
    return { outcome: 'key-lost', detail: 'There is a database here, but its .env file is missing.' };
  if (database === 'half') return { outcome: 'half-database', detail: halfDatabaseWords(dataFolder) };
  return { outcome: 'new', warnings: findings.map(({ code, detail }) => ({ code, detail })) };
};

/** Settings without a database: no start has succeeded here, and none will where Postgres cannot use the path. */
const isOfPath = ({ code }: FolderFinding): boolean =>
  code === 'unspellable' || code === 'too-long' || code === 'variable';

const stateOf = (home: string) => {
  try {
    return databaseIn(join(postgresFolder(home), 'data'));
  } catch {
    // It is the account's of Postgres, and so there.
    return 'whole';
  }
};
