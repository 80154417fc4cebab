import type { LastingFields } from './product-draft.ts';

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 60);

/** A guess at what the part is; it can be overwritten. */
export const suggestKey = (line: LastingFields): string => {
  const named = (kind: string, name: string) => `${kind}:${slugOf(name) || 'one'}`;
  switch (line.kind) {
    case 'item':
      return named('kit', line.item);
    case 'role':
      return named('role', line.roleName);
    case 'command': {
      const [, rank] = /\bparent (?:add|set) (\S+)/.exec(line.command) ?? [];
      if (rank !== undefined) return named('rank', rank);
      const [, level] = /^\/?admin add \S+ (\d+)/.exec(line.command) ?? [];
      if (level !== undefined) return named('admin', level);
      const words = line.command.replace(/\{\w+\}/g, '').replace(/^\//, '');
      return /whitelist|AllowPlayerToJoinNoCheck/i.test(words) ? 'whitelist' : named('command', words);
    }
  }
};
