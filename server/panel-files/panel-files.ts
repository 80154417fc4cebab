import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { RequestHandler } from 'express';
import { Problem } from '#runtime/problem.ts';

export interface PanelFiles {
  /** Whether a request is for one of the built panel's own files. */
  has(method: string, path: string): boolean;
  readonly serve: RequestHandler;
}

/**
 * The built panel. Its files are listed once, at start: only what the list holds is ever served, so that no path leads
 * out of the folder and no folder is listed.
 * @param refusal the license gate's verdict, which comes before any other answer than a file
 */
export const openPanelFiles = async (folder: string, refusal: () => Problem | null): Promise<PanelFiles> => {
  const files = await listFiles(folder);
  const find = (method: string, path: string): string | undefined =>
    method === 'GET' || method === 'HEAD' ? files.get(decoded(path)) : undefined;
  return {
    has: (method, path) => find(method, path) !== undefined,
    serve(request, response, next) {
      const file = find(request.method, request.path);
      if (file === undefined) return next();
      const headers = { 'Cache-Control': cacheControl(file) };
      response.sendFile(file, { root: folder, headers, acceptRanges: false }, (error) => {
        if (error && !response.headersSent) next(refusal() ?? asProblem(error));
      });
    },
  };
};

/** A listed file may be gone by now, as during an update; any other trouble is ours and told as it is. */
const asProblem = (error: Error & { readonly status?: number }): Error =>
  error.status !== undefined && error.status < 500 ? new Problem('NOT_FOUND', { cause: error }) : error;

const listFiles = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  try {
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const file = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
      // Never served, so never part of the panel: files such as .DS_Store are left behind by accident.
      if (!file.split('/').some((part) => part.startsWith('.'))) files.set(`/${file}`, file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const index = files.get('/index.html');
  if (index) files.set('/', index);
  return files;
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    // A broken percent sign names no file.
    return '';
  }
};

/** The build puts a hash into the name of everything in assets/. */
const cacheControl = (file: string): string =>
  file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
