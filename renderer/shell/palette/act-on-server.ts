import type { ReactNode } from 'react';
import { languages } from '#contracts/kernel/language.ts';
import type { InWords, WordsOf } from '#contracts/kernel/words.ts';
import type { Entry } from './entry.ts';
import { paletteWords } from './palette.words.ts';

type PaletteTexts = InWords<(typeof paletteWords)['en']>;

const inAll = (say: (words: PaletteTexts) => string): readonly string[] =>
  languages.map((language) => say((paletteWords as WordsOf<PaletteTexts>)[language]));

/** An act that asks for its server, followed by the act on each server, by its name; nothing if there is no server. */
export const actOnServer = (
  words: PaletteTexts,
  act: {
    readonly id: string;
    readonly icon: ReactNode;
    readonly servers: readonly { readonly id: string; readonly name: string }[];
    /** "Restart a server …". */
    readonly general: (words: PaletteTexts) => string;
    /** "Restart The Quarry". */
    readonly direct: (words: PaletteTexts, server: string) => string;
    readonly run: (serverId: string) => void;
  },
): readonly Entry[] => {
  const { id, icon, servers, general, direct, run } = act;
  if (servers.length === 0) return [];
  const each = servers.map((server) => ({
    id: `${id}:${server.id}`,
    group: 'acts' as const,
    icon,
    run: () => run(server.id),
    server,
  }));
  return [
    {
      id,
      group: 'acts',
      icon,
      label: general(words),
      also: inAll(general),
      next: {
        of: 'servers',
        entries: each.map(({ server, ...entry }) => ({ ...entry, label: server.name })),
      },
    },
    ...each.map(({ server, ...entry }) => ({
      ...entry,
      label: direct(words, server.name),
      also: inAll((texts) => direct(texts, server.name)),
      isDirect: true,
    })),
  ];
};
