import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { agentDownloadsHttp } from '#contracts/servers/agent-downloads.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { isLoopback } from '#runtime/http/this-machine.ts';
import { ownAddresses } from '#runtime/own-addresses.ts';
import { Problem } from '#runtime/problem.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { AgentPrograms, StoredProgram } from './agent-programs.ts';
import { shownCertificate } from './shown-certificate.ts';

/** Skips the first bytes, passes on the given number, and ends. */
const slice = (skip: number, length: number): Transform => {
  let toSkip = skip;
  let left = length;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const kept = chunk.subarray(Math.min(toSkip, chunk.length));
      toSkip -= chunk.length - kept.length;
      const sent = kept.subarray(0, Math.min(left, kept.length));
      left -= sent.length;
      if (sent.length > 0) this.push(sent);
      if (left === 0 && length > 0) this.push(null);
      done();
    },
  });
};

interface Part {
  readonly start: number;
  readonly end: number;
}

/** The requested part: null for the whole, and if several are requested or they make no sense; `none` when there is no such part. */
const wantedPart = ({ req }: Response, etag: string, bytes: number): Part | 'none' | null => {
  const condition = req.get('If-Range');
  if (condition !== undefined && condition !== etag) return null;
  const ranges = req.range(bytes, { combine: true });
  if (ranges === -1) return 'none';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
};

/**
 * Answers with the program, the requested part of it, or that nothing has changed. A HEAD request reads nothing.
 * @returns whether the whole of it was sent
 */
const sendProgram = async (response: Response, program: StoredProgram): Promise<boolean> => {
  const { file, bytes, sha256 } = program;
  const etag = `"${sha256.slice(0, 32)}"`;
  response.attachment(file).set({
    'Content-Type': 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    // Proxies on the way must not alter the file.
    'Cache-Control': 'no-cache, no-transform',
  });
  if (response.req.get('If-None-Match')?.split(/,\s*/).includes(etag)) {
    response.status(304).end();
    return false;
  }
  const part = wantedPart(response, etag, bytes);
  if (part === 'none') {
    response.status(416).set('Content-Range', `bytes */${bytes}`).end();
    return false;
  }
  const { start, end } = part ?? { start: 0, end: bytes - 1 };
  if (part) response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  response.set('Content-Length', String(end - start + 1));
  if (response.req.method === 'HEAD') {
    response.end();
    return false;
  }
  const { content, skip } = program.open(start, end);
  try {
    await pipeline([...content, slice(skip, end - start + 1), response]);
    return start === 0 && end === bytes - 1;
  } catch (error) {
    // The client left before the end: nothing is wrong here.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return false;
    throw error;
  }
};

interface AgentDownloadsOptions {
  readonly programs: AgentPrograms;
  readonly config: Pick<StackConfig, 'apiHosts' | 'apiOrigin' | 'apiPort' | 'tls' | 'trustProxy'>;
  /** The program was downloaded completely by a line that names an enrolment. */
  readonly markDownloaded: (enrolment: string) => Promise<void>;
  /** A download that takes no byte for this long is cut off. */
  readonly idleMs?: number;
  /** A download slower than this is cut off, too: one that takes a byte now and then would hold its place forever. */
  readonly pace?: DownloadPace;
}

interface DownloadPace {
  readonly everyMs: number;
  readonly leastBytes: number;
  /** For the whole download. */
  readonly mostMs: number;
}

/** 17 kB/s: the whole program then takes less than two hours. */
const usualPace: DownloadPace = { everyMs: 60_000, leastBytes: 1_000_000, mostMs: 2 * 60 * 60_000 };

/** Per address block: no one is signed in here, and each download sends up to a hundred megabytes. */
const limits = { capacity: 30, refillMs: 2000 };
/** How many are decompressed at the same time. */
const mostAtOnce = 8;
/** How many of those one address block may have, so that it does not keep the others out. */
const mostOfOne = 3;
const usualIdleMs = 30_000;

export const bindAgentDownloadsRoutes = (routes: ApiRoutes, options: AgentDownloadsOptions): void => {
  const { programs, config, markDownloaded, idleMs = usualIdleMs, pace = usualPace } = options;
  const budget = createTokenBuckets(limits, () => performance.now());
  /** Running decompressions, by address block. */
  const underWay = new Map<string, number>();
  const count = (block: string, change: number) => {
    const left = (underWay.get(block) ?? 0) + change;
    if (left > 0) underWay.set(block, left);
    else underWay.delete(block);
  };

  routes.on(agentDownloadsHttp.list, async () => ({
    files: (await programs.list()).map(({ file, system, bytes, sha256 }) => ({
      file,
      system,
      bytes,
      sha256,
    })),
    ...(await reachOf(config)),
    certificate: await certificateOf(config),
  }));
  routes.on(agentDownloadsHttp.fetch, async ({ params, query }, { address }) => {
    const block = countedAddress(address);
    const waitMs = budget.tryTake(block);
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
    const program = await programs.find(params.file);
    if (!program) throw new Problem('AGENT_DOWNLOAD_MISSING', { headers: { 'Retry-After': '15' } });
    return async (response) => {
      const share = program.isCompressed ? 1 : 0;
      const all = [...underWay.values()].reduce((sum, each) => sum + each, 0);
      if (share > 0 && (all >= mostAtOnce || (underWay.get(block) ?? 0) >= mostOfOne)) throw tooMany(5);
      count(block, share);
      try {
        response.setTimeout(idleMs, () => response.destroy());
        using _watch = watchPace(response, pace);
        const isWhole = await sendProgram(response, program);
        if (isWhole && query.enrolment !== undefined) await markDownloaded(query.enrolment);
      } finally {
        count(block, -share);
      }
    };
  });
};

/** Watches until disposed. */
const watchPace = (response: Response, { everyMs, leastBytes, mostMs }: DownloadPace): Disposable => {
  const { socket } = response;
  let before = socket?.bytesWritten ?? 0;
  const look = () => {
    const now = socket?.bytesWritten ?? 0;
    if (now - before < leastBytes) response.destroy();
    before = now;
  };
  const timers = [setInterval(look, everyMs), setTimeout(() => response.destroy(), mostMs)];
  for (const timer of timers) timer.unref();
  return { [Symbol.dispose]: () => timers.forEach(clearTimeout) };
};

const tooMany = (seconds: number): Problem =>
  new Problem('RATE_LIMITED', {
    detail: 'Too many downloads at the moment.',
    headers: { 'Retry-After': String(seconds) },
  });

type Listed = EndpointResponse<typeof agentDownloadsHttp.list>;
type Reach = Pick<Listed, 'reach' | 'addresses' | 'adapters'>;

const certificateOf = ({
  tls,
  trustProxy,
}: AgentDownloadsOptions['config']): Promise<Listed['certificate']> =>
  tls && trustProxy === false ? shownCertificate(tls) : Promise.resolve(null);

const reachOf = async ({
  apiHosts,
  apiOrigin,
  apiPort,
  tls,
  trustProxy,
}: AgentDownloadsOptions['config']): Promise<Reach> => {
  const open = apiHosts.filter((host) => !isLoopback(host));
  if (open.length === 0)
    return trustProxy === false
      ? { reach: 'this-machine', addresses: [apiOrigin] }
      : { reach: 'proxy', addresses: [] };
  const any = open.find((host) => host === '0.0.0.0' || host === '::');
  const scheme = tls ? 'https' : 'http';
  const urlOf = (host: string) => `${scheme}://${host.includes(':') ? `[${host}]` : host}:${apiPort}`;
  if (any === undefined) return { reach: 'network', addresses: open.map(urlOf) };
  const own = await ownAddresses(any);
  return {
    reach: 'network',
    addresses: own.map(({ address }) => urlOf(address)),
    adapters: Object.fromEntries(own.map(({ address, adapter }) => [urlOf(address), adapter])),
  };
};
