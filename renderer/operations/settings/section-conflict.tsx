import { Alert, Button, Radio, Stack, Text } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { type ChangedMeanwhile, onNewer, type SectionDraft } from '../../kit/forms/section-draft.ts';
import type { FieldHints } from '../../kit/forms/section-fields.tsx';
import { ValueText } from '../../kit/forms/value-text.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import classes from './settings.module.css';
import { settingsWords } from './settings.words.ts';

interface SectionConflictProps {
  readonly section: SettingsSection;
  readonly draft: SectionDraft;
  readonly changed: readonly ChangedMeanwhile[];
  readonly hints: FieldHints;
  readonly onSettled: (draft: SectionDraft | null) => void;
}

/** Another admin's changes next to what was typed: the person chooses one of the two, and nothing is lost unseen. */
export const SectionConflict = ({ section, draft, changed, hints, onSettled }: SectionConflictProps) => {
  const { conflict: words } = useWords(settingsWords);
  const language = useLanguage();
  const group = useId();
  const [givingWay, setGivingWay] = useState<ReadonlySet<string>>(new Set());
  const labelOf = (name: string) =>
    section.fields.find((field) => field.name === name)?.label[language] ?? name;
  const choose = (name: string, isTheirs: boolean) =>
    setGivingWay((before) => {
      const next = new Set(before);
      if (isTheirs) next.add(name);
      else next.delete(name);
      return next;
    });
  const typedText = (name: string): ReactNode => {
    if (draft.secrets[name] === null) return words.cleared;
    if (Object.hasOwn(draft.secrets, name)) return words.secret;
    return <ValueText value={draft.typed[name]} hint={hints[name]} />;
  };

  return (
    <Alert
      color="yellow"
      variant="outline"
      classNames={{ label: classes.warning, icon: classes.warning }}
      icon={<IconArrowsDiff aria-hidden />}
      title={words.title}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text>{words.text}</Text>
        {changed.map(({ name, values, isTyped }) => (
          <section key={name} aria-label={labelOf(name)} className={classes.changed}>
            <Text fw={600}>{labelOf(name)}</Text>
            {values && (
              <Text size="sm" c="dimmed">
                {words.before}: <ValueText value={values.before} hint={hints[name]} />
              </Text>
            )}
            {isTyped ? (
              <Radio.Group
                name={`${group}-${name}`}
                aria-label={`${words.choice}: ${labelOf(name)}`}
                value={givingWay.has(name) ? 'theirs' : 'mine'}
                onChange={(value) => choose(name, value === 'theirs')}
              >
                <Stack gap={4} mt={4}>
                  <Radio
                    value="mine"
                    label={
                      <>
                        {words.typed}: {typedText(name)}
                      </>
                    }
                  />
                  <Radio
                    value="theirs"
                    label={
                      <>
                        {words.now}:{' '}
                        {values ? <ValueText value={values.now} hint={hints[name]} /> : words.hidden}
                      </>
                    }
                  />
                </Stack>
              </Radio.Group>
            ) : (
              <Text size="sm">
                {words.now}: <ValueText value={values?.now} hint={hints[name]} /> ({words.taken})
              </Text>
            )}
          </section>
        ))}
        <Button variant="default" onClick={() => onSettled(onNewer(draft, section, givingWay))}>
          {words.goOn}
        </Button>
      </Stack>
    </Alert>
  );
};
