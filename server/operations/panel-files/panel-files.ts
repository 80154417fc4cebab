import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Request, RequestHandler } from 'express';
import { isAbsent } from '#runtime/absent-file.ts';
import { Problem } from '#runtime/problem.ts';

export interface PanelFiles {
  /** Whether a request is for one of the built panel's own files. */
  has(method: string, path: string): boolean;
  readonly serve: RequestHandler;
}

/** The compressed versions that the build adds where worthwhile, smallest first, with their file name suffixes. */
const codings = [
  { coding: 'br', suffix: '.br' },
  { coding: 'gzip', suffix: '.gz' },
] as const;
type Coding = (typeof codings)[number]['coding'];

/** What is sent: a file as stored in the folder. */
interface Representation {
  readonly file: string;
  /** For exactly these bytes: each coding has its own. Null if they could not be read at start. */
  readonly etag: string | null;
}

interface PanelFile extends Representation {
  readonly compressed: ReadonlyMap<Coding, Representation>;
}

/**
 * The built panel. Its files are listed once, at start: only listed files are ever served, so no path leads out of the
 * folder and no folder is listed.
 * @param refusal the license gate's verdict, which comes before any other answer than a file
 */
export const openPanelFiles = async (folder: string, refusal: () => Problem | null): Promise<PanelFiles> => {
  const files = await listFiles(folder);
  const find = (method: string, path: string): PanelFile | undefined =>
    method === 'GET' || method === 'HEAD' ? files.get(decoded(path)) : undefined;
  return {
    has: (method, path) => find(method, path) !== undefined,
    serve(request, response, next) {
      const found = find(request.method, request.path);
      if (found === undefined) return next();
      const { file, compressed } = found;
      const coding = chooseCoding(request, [...compressed.keys()]);
      const sent = (coding && compressed.get(coding)) ?? found;
      const headers = {
        'Cache-Control': cacheControl(file),
        ...(sent.etag === null ? {} : { ETag: sent.etag }),
        ...(compressed.size > 0 ? { Vary: 'Accept-Encoding' } : {}),
        ...(coding ? { 'Content-Encoding': coding } : {}),
      };
      // A client's copy may avoid a transfer but never forbid one: nothing is changed here.
      for (const name of ['if-match', 'if-unmodified-since']) delete request.headers[name];
      // By the original name: the compressed file's extension does not reveal the type.
      response.type(extname(file));
      response.sendFile(sent.file, { root: folder, headers, acceptRanges: false }, (error) => {
        if (!error || response.headersSent) return;
        // They describe the file, not the problem that is sent instead.
        for (const name of [...Object.keys(headers), 'Last-Modified', 'Content-Length'])
          response.removeHeader(name);
        next(refusal() ?? asProblem(error));
      });
    },
  };
};

/** A listed file may be gone, as during an update; any other error is ours and passed on unchanged. */
const asProblem = (error: Error & { readonly status?: number }): Error =>
  error.status !== undefined && error.status < 500 ? new Problem('NOT_FOUND', { cause: error }) : error;

/** Null for the unencoded file, which also goes to a client that accepts none of the codings. */
const chooseCoding = (request: Request, available: readonly Coding[]): Coding | null => {
  // The order of a browser's list means nothing. Only weights, such as `q=0.5`, express a preference.
  const isWeighted = request.get('Accept-Encoding')?.includes('=') ?? false;
  if (!isWeighted) return available.find((coding) => request.acceptsEncodings(coding) === coding) ?? null;
  const preferred = request.acceptsEncodings([...available, 'identity']);
  return available.find((coding) => coding === preferred) ?? null;
};

const listFiles = async (folder: string): Promise<ReadonlyMap<string, PanelFile>> => {
  const names = await listNames(folder);
  const files = new Map<string, PanelFile>();
  for (const file of names) {
    if (codings.some(({ suffix }) => file.endsWith(suffix))) continue;
    const present = codings.filter(({ suffix }) => names.has(file + suffix));
    const compressed = new Map<Coding, Representation>();
    for (const { coding, suffix } of present)
      compressed.set(coding, await representation(folder, file + suffix));
    files.set(`/${file}`, { ...(await representation(folder, file)), compressed });
  }
  const index = files.get('/index.html');
  if (index) files.set('/', index);
  return files;
};

const representation = async (folder: string, file: string): Promise<Representation> => {
  try {
    const hash = createHash('sha256').update(await readFile(join(folder, file)));
    return { file, etag: `"${hash.digest('base64url').slice(0, 22)}"` };
  } catch {
    // The API still starts; a request for the file says what is wrong with it.
    return { file, etag: null };
  }
};

const listNames = async (folder: string): Promise<ReadonlySet<string>> => {
  const names = new Set<string>();
  try {
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const file = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
      // Never served, so not part of the panel: files such as .DS_Store are left behind by accident.
      if (!file.split('/').some((part) => part.startsWith('.'))) names.add(file);
    }
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return names;
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    // A malformed percent escape names no file.
    return '';
  }
};

/** The build puts a hash into the name of everything in assets/. */
const cacheControl = (file: string): string =>
  file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
