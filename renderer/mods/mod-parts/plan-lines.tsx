import { Text } from '@mantine/core';
import { type Icon, IconArrowUp, IconFileCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import type { PlanLine } from '#contracts/mods/mods.ts';
import type { Tone } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { Changelog } from './changelog.tsx';
import { modPartsWords } from './mod-parts.words.ts';
import classes from './mod-rows.module.css';

/** Each kind of change has its own shape. */
const signs = {
  add: { Icon: IconPlus, tone: 'ok' },
  update: { Icon: IconArrowUp, tone: 'busy' },
  remove: { Icon: IconTrash, tone: 'bad' },
  adopt: { Icon: IconFileCheck, tone: 'ok' },
} as const satisfies Record<PlanLine['change'], { readonly Icon: Icon; readonly tone: Tone }>;

const ChangeSign = ({ change }: Pick<PlanLine, 'change'>) => {
  const words = useWords(modPartsWords);
  const { Icon, tone } = signs[change];
  return (
    <span className={classes.change}>
      <Icon size={16} color={`var(--tone-${tone})`} aria-hidden />
      {words.changes[change]}
    </span>
  );
};

/** The effect of a change on each mod. */
export const PlanLines = ({ lines }: { readonly lines: readonly PlanLine[] }) => {
  const words = useWords(modPartsWords);
  const format = useFormat();
  return (
    <ul className={classes.list}>
      {lines.map(({ change, key, name, from, to, source, bytes, neededBy, changelog }) => (
        <li key={`${change} ${key}`} className={classes.row}>
          <div className={classes.what}>
            <div className={classes.named}>
              <Text fw={600} component="div">
                <bdi>{name}</bdi>
              </Text>
              <ChangeSign change={change} />
            </div>
            <div className={classes.quiet}>
              <bdi>{from !== null && to !== null ? words.becomes(from, to) : (to ?? from)}</bdi>
              <span>{words.sources[source]}</span>
              {bytes > 0 && <span>{format.bytes(bytes)}</span>}
              {neededBy !== null && <bdi>{words.neededBy(neededBy)}</bdi>}
            </div>
            {changelog && <Changelog text={changelog} />}
          </div>
        </li>
      ))}
    </ul>
  );
};
