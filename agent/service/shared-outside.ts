import type { OutsideSettings } from '#runtime/outside/outside.ts';

const fields = ['proxy', 'noProxy', 'trustedCaFile'] as const;
type Field = (typeof fields)[number];

const textOf = (settings: OutsideSettings, field: Field): string => {
  const value = settings[field];
  return typeof value === 'object' ? value.reveal() : (value ?? '');
};

/** The way to the internet of a machine, and what servers say of it that does not count, in sentences without a value. */
interface SharedOutside {
  readonly settings: OutsideSettings;
  readonly ignored: readonly string[];
}

/** The servers of a machine share its way to the internet: each setting is that of the first server that has it. */
export const shareOutside = (byServer: ReadonlyMap<string, OutsideSettings>): SharedOutside => {
  const servers = [...byServer].sort(([one], [other]) => (one < other ? -1 : 1));
  const firstWith = (field: Field) => servers.find(([, settings]) => textOf(settings, field) !== '');
  return {
    settings: {
      proxy: firstWith('proxy')?.[1].proxy,
      noProxy: firstWith('noProxy')?.[1].noProxy ?? '',
      trustedCaFile: firstWith('trustedCaFile')?.[1].trustedCaFile,
    },
    ignored: fields.flatMap((field) => {
      const first = firstWith(field);
      if (!first) return [];
      return servers
        .filter(([, settings]) => !['', textOf(first[1], field)].includes(textOf(settings, field)))
        .map(
          ([id]) =>
            `outside.${field} of the server "${id}" is not used: the servers of this machine share that of "${first[0]}". Write the same in both config.json files.`,
        );
    }),
  };
};

/** To compare; holds passwords. */
export const outsideKey = ({ settings, ignored }: SharedOutside): string =>
  JSON.stringify([fields.map((field) => textOf(settings, field)), ignored]);
