import type { AddressTest, OutsideAddressKind } from '#contracts/operations/outside-addresses.ts';
import { publicOrigin } from '#contracts/operations/public-address.ts';
import { setUpOutside } from '#runtime/outside/outside.ts';
import { type TestedAddress, testAddress } from '#runtime/outside/test-address.ts';
import { type AddressesInUse, testedAddresses } from '#runtime/outside/tested-addresses.ts';
import { releaseFileName } from '#runtime/release/release-manifest.ts';
import { readStackConfig, type StackConfig } from '#runtime/stack-config.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import { readUpdateSource } from '../updates/update-source.ts';
import { askDatabase } from './read-only-database.ts';

type Used = Omit<AddressesInUse, 'updates'>;

const usedQuery = `select
  exists(select from discord_settings where token is not null) as discord,
  exists(select from settings_secrets where field = 'curseforgeApiKey') as curseforge,
  (select values ->> 'publicAddress' from settings where section = 'general') as public_address`;

interface UsedRow {
  readonly discord: boolean;
  readonly curseforge: boolean;
  readonly public_address: string | null;
}

/** Without a database that says otherwise, what most installations use. */
const usedByMost: Used = { discord: true, modSources: ['modrinth', 'steam'], publicAddress: null };

/** All that an installation may use, but for its own public address. */
const usedByAny: Used = { ...usedByMost, modSources: ['modrinth', 'curseforge', 'steam'] };

const readUsed = async (home: string, config: StackConfig): Promise<Used> => {
  try {
    const { rows } = await askDatabase(home, config, (client) => client.query<UsedRow>(usedQuery));
    const [row] = rows;
    if (!row) return usedByMost;
    return {
      discord: row.discord || config.discordBotToken !== undefined,
      modSources: ['modrinth', ...(row.curseforge ? (['curseforge'] as const) : []), 'steam'],
      publicAddress: publicOrigin(row.public_address ?? ''),
    };
  } catch {
    // It does not run, which is the concern of other parts of a bundle.
    return usedByMost;
  }
};

/**
 * The addresses on the internet that an installation uses. Without its settings, which the account of a desktop beside Windows
 * Services may not read, those of every installation.
 */
const readAddresses = async (
  home: string,
  programsFolder: string,
  used: (home: string, config: StackConfig) => Promise<Used>,
): Promise<readonly TestedAddress[]> => {
  const source = await readUpdateSource(programsFolder);
  const updates = source === null ? null : `${source.url}${releaseFileName}`;
  const config = await readStackConfig(home).catch(() => null);
  if (config === null) {
    const server = await readLicenseServer(programsFolder);
    return testedAddresses({ licenseServerUrl: server?.url, modSourceUrls: {} }, { ...usedByMost, updates });
  }
  // As they are now: they may have changed since this program began.
  setUpOutside(config.outside);
  return testedAddresses(config, { ...(await used(home, config)), updates });
};

/** Tests of the addresses of one installation, each of which takes 15 s at most; nothing is asked before that. */
export interface AddressTests {
  list(): Promise<readonly TestedAddress[]>;
  /** What a system is asked the way to: depends neither on that way nor on what the database holds, or whether it runs. */
  proxied(): Promise<readonly URL[]>;
  /** Null: the installation does not use it any more. */
  test(kind: OutsideAddressKind): Promise<AddressTest | null>;
  /** All at once. @param onDone called with each as it ends */
  testAll(onDone?: (test: AddressTest) => void): Promise<readonly AddressTest[]>;
}

export const createAddressTests = (home: string, programsFolder: string): AddressTests => {
  const list = () => readAddresses(home, programsFolder, readUsed);
  return {
    list,
    async proxied() {
      const addresses = await readAddresses(home, programsFolder, async () => usedByAny);
      return addresses.flatMap(({ kind, url }) => (kind === 'proxy' ? [] : [url]));
    },
    async test(kind) {
      const address = (await list()).find((one) => one.kind === kind);
      return address ? testAddress(address) : null;
    },
    async testAll(onDone) {
      return Promise.all(
        (await list()).map(async (address) => {
          const result = await testAddress(address);
          onDone?.(result);
          return result;
        }),
      );
    },
  };
};
