import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiFrame, agentProtocolVersion } from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import { agentReleaseFileName, versionOfAgentRelease } from '#runtime/release/agent-release.ts';
import { compareVersions, releaseVersionPattern } from '#runtime/release/version-order.ts';

/** Null for an agent that has this version already, and for one whose versions are of another kind. */
export type ReleaseOffer = (agentVersion: string) => OfferedRelease | null;

export interface OfferedRelease {
  readonly version: string;
  readonly frame: ApiFrame;
}

/**
 * Offers the signed release next to the agents' executables to older agents. The agents check its signature; without
 * one, as in a checkout, no release is offered.
 */
export const readReleaseOffer = async (folder: string, log: Log): Promise<ReleaseOffer> => {
  const release = await readFile(join(folder, agentReleaseFileName)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') log.warn({ err: error }, 'could not read the Game Agent release');
    return null;
  });
  const version = release && versionOfAgentRelease(release);
  if (!version) return () => null;
  const frame: ApiFrame = { v: agentProtocolVersion, type: 'release', release: release.toString('base64') };
  const offered = { version, frame };
  return (agentVersion) =>
    releaseVersionPattern.test(agentVersion) && compareVersions(version, agentVersion) > 0 ? offered : null;
};
