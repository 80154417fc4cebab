import { Text } from '@mantine/core';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { useLanguage } from '../language/use-words.ts';
import { SecretState } from './secret-state.tsx';
import type { FieldHints } from './section-fields.tsx';
import classes from './section-view.module.css';
import { ValueText } from './value-text.tsx';

/** A section for a reader who may see but not change it. */
export const SectionView = ({
  section,
  hints,
}: {
  readonly section: SettingsSection;
  readonly hints: FieldHints;
}) => {
  const language = useLanguage();
  return (
    <dl className={classes.list}>
      {section.fields.map(({ name, label, help, sensitive }) => (
        <div key={name}>
          <dt>
            <Text fw={600} component="span">
              {label[language]}
            </Text>
          </dt>
          <dd>
            {sensitive ? (
              <SecretState secret={section.secrets[name]} />
            ) : (
              <ValueText value={section.values[name]} hint={hints[name]} />
            )}
            {help && (
              <Text size="sm" c="dimmed">
                {help[language]}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
};
