import { Button, Text, Title } from '@mantine/core';
import type { UnneededMod } from '#contracts/mods/mods.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { modPartsWords } from '../mod-parts/mod-parts.words.ts';
import classes from '../mod-parts/mod-rows.module.css';
import { modsWords } from './mods.words.ts';

/** Dependencies of mods that are gone: they stay unless the person wants them removed as well. */
export const UnneededMods = ({
  mods,
  onRemove,
}: {
  readonly mods: readonly UnneededMod[];
  readonly onRemove: (key: string) => void;
}) => {
  const words = useWords(modsWords);
  const parts = useWords(modPartsWords);
  if (mods.length === 0) return null;
  return (
    <section aria-label={words.unneeded}>
      <Title order={3}>{words.unneeded}</Title>
      <Text size="sm">{words.unneededText}</Text>
      <ul className={classes.list}>
        {mods.map(({ key, name, source, versionName }) => (
          <li key={key} className={classes.row}>
            <div className={classes.what}>
              <Text fw={600} component="div">
                <bdi>{name}</bdi>
              </Text>
              <div className={classes.quiet}>
                {versionName !== null && <bdi>{versionName}</bdi>}
                <span>{parts.sources[source]}</span>
              </div>
            </div>
            <div className={classes.acts}>
              <Button
                size="xs"
                variant="default"
                aria-label={`${words.removeToo}: ${name}`}
                onClick={() => onRemove(key)}
              >
                {words.removeToo}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};
