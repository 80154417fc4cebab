import * as z from 'zod';
import { recordId } from './clusters.ts';
import { endpoint } from './http.ts';

/** The agent's programs, by name: one file for each system, and one for a machine that has Node. */
export const agentPrograms = {
  'castellan-agent-linux-x64': 'linux',
  'castellan-agent-win-x64.exe': 'windows',
  'agent.mjs': 'node',
} as const;
export type AgentProgram = keyof typeof agentPrograms;
export const agentProgramNames = Object.keys(agentPrograms) as [AgentProgram, ...AgentProgram[]];

export const agentProgram = z.object({
  file: z.enum(agentProgramNames),
  system: z.enum(['linux', 'windows', 'node']),
  bytes: z.int().positive(),
  /** Of the file as it is downloaded, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AgentProgramFile = z.infer<typeof agentProgram>;

/** Beside the programs: what is stored of each, made when they are packaged. */
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
    summary: "The agent's programs that this API hands out, and by which addresses machines reach it",
    access: 'agents.write',
    response: z.object({
      /** Those that are not there are left out. */
      files: z.array(agentProgram),
      /**
       * - `this-machine`: no other machine reaches the API; this one does by `addresses`
       * - `proxy`: others reach it by a proxy, whose address only people know
       * - `network`: others reach it by `addresses`
       */
      reach: z.enum(['this-machine', 'proxy', 'network']),
      addresses: z.array(z.string()),
      /**
       * By what machines know the API's certificate where none of the usual authorities vouches for it: `pin` by its key, as
       * curl writes it, `sha256` by all of it. Null where one does, without TLS, and behind a proxy, which shows its own.
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
    summary: "The agent's program for a system; takes ranges, and conditions by its ETag",
    access: 'agent',
    params: z.object({ file: z.enum(agentProgramNames) }),
    /** Marks that enrolment as downloaded, and does nothing else. */
    query: z.object({ enrolment: recordId.optional() }),
    contentType: 'application/octet-stream',
    sends: true,
    response: z.string(),
    problems: ['AGENT_DOWNLOAD_MISSING', 'RATE_LIMITED'],
  }),
} as const;
