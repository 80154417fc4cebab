import { ModFileError } from '../../mod-files.ts';
import type { ApiFiles } from '../api-files.ts';

/** An API that provides no files. */
export const noApiFiles: ApiFiles = {
  partBytes: 1024,
  part: () => Promise.reject(new ModFileError('gone', 'The API has no such file.')),
  curseforgeKey: () => Promise.reject(new ModFileError('key', 'No CurseForge key is set.')),
};
