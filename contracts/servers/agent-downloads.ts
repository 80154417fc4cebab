import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { recordId } from './clusters.ts';

/** The agent's programs, by file name: one for each system, and one for machines that have Node. */
export const agentPrograms = {
  'castellan-agent-linux-x64': 'linux',
  'castellan-agent-win-x64.exe': 'windows',
  'agent.mjs': 'node',
} as const;
export type AgentProgram = keyof typeof agentPrograms;
const agentProgramNames = Object.keys(agentPrograms) as [AgentProgram, ...AgentProgram[]];

const agentProgram = z.object({
  file: z.enum(agentProgramNames),
  system: z.enum(['linux', 'windows', 'node']),
  bytes: z.int().positive(),
  /** SHA-256 of the downloaded file, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AgentProgramFile = z.infer<typeof agentProgram>;

/** The file next to the programs that describes each one as stored; created when they are packaged. */
export const agentProgramsManifest = z.object({
  files: z.array(agentProgram.extend({ stored: z.string(), coding: z.enum(['none', 'zstd']) })),
});
export type AgentProgramsManifest = z.infer<typeof agentProgramsManifest>;

export const agentProgramsFolder = 'agents';
export const agentProgramsManifestName = 'programs.json';

export const agentDownloadsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/agents/downloads',
    summary:
      'List the Game Agent programs that this API serves, and the addresses at which machines reach it',
    access: 'agents.write',
    response: z.object({
      /** Missing ones are left out. */
      files: z.array(agentProgram),
      /**
       * - `this-machine`: no other machine reaches the API; this one does at `addresses`
       * - `proxy`: other machines reach it through a proxy, whose address only people know
       * - `network`: other machines reach it at `addresses`
       */
      reach: z.enum(['this-machine', 'proxy', 'network']),
      /** The likeliest first. */
      addresses: z.array(z.string()),
      /** Names of the adapters, by address, where the API listens on all of them. */
      adapters: z.record(z.string(), z.string()).optional(),
      /**
       * How machines recognize an API certificate that no usual authority vouches for: `pin` is the hash of its key, as
       * curl writes it, `sha256` that of the whole certificate. Null if an authority vouches for it, without TLS, and
       * behind a proxy, which has its own certificate.
       */
      certificate: z
        .object({
          pin: z.string().regex(/^sha256\/\/[A-Za-z0-9+/]{43}=$/),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
        })
        .nullable(),
    }),
    problems: ['UNAUTHENTICATED', 'FORBIDDEN'],
  }),
  fetch: endpoint({
    method: 'GET',
    path: '/api/game-agent/downloads/:file',
    summary: 'Download the Game Agent program for a system; supports range requests and ETag conditions',
    access: 'agent',
    params: z.object({ file: z.enum(agentProgramNames) }),
    /** Marks that enrolment as downloaded, and has no other effect. */
    query: z.object({ enrolment: recordId.optional() }),
    contentType: 'application/octet-stream',
    sends: true,
    response: z.string(),
    problems: ['AGENT_DOWNLOAD_MISSING', 'RATE_LIMITED'],
  }),
} as const;
