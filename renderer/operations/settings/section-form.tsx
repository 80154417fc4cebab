import { Alert, Button, Group, Kbd, Radio, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowsDiff } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { modKey } from '../../kit/design/mod-key.ts';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import {
  type ChangedMeanwhile,
  changedMeanwhile,
  onNewer,
  type SectionDraft,
} from '../../kit/forms/section-draft.ts';
import { type FieldHints, SectionFields } from '../../kit/forms/section-fields.tsx';
import { ValueText } from '../../kit/forms/value-text.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import classes from './settings.module.css';
import { settingsWords } from './settings.words.ts';
import { draftOf, keepDraft } from './settings-drafts.ts';
import { useSectionSave } from './use-section-save.ts';

/** Another admin's changes next to what was typed: the person chooses one of the two, and nothing is lost unseen. */
const SectionConflict = (props: {
  readonly section: SettingsSection;
  readonly draft: SectionDraft;
  readonly changed: readonly ChangedMeanwhile[];
  readonly hints: FieldHints;
  readonly onSettled: (draft: SectionDraft | null) => void;
}) => {
  const { section, draft, changed, hints, onSettled } = props;
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

export const SectionForm = (props: {
  readonly section: SettingsSection;
  readonly draft: SectionDraft | null;
  readonly personId: string;
  readonly hints: FieldHints;
}) => {
  const { section, draft, personId, hints } = props;
  const words = useWords(settingsWords);
  const title = section.title[useLanguage()];
  const form = useRef<HTMLFormElement>(null);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const { save, isSaving, faults, refusals, error, forget, clear } = useSectionSave(section, personId);
  const keep = (next: SectionDraft | null) => keepDraft(personId, section.name, next);

  const changed = draft ? changedMeanwhile(draft, section) : [];
  const isUnsettled = changed.length > 0;
  // Another admin has saved, but nothing that conflicts: the draft continues from the newer version.
  const current =
    draft && !isUnsettled && draft.version !== section.version ? onNewer(draft, section, new Set()) : draft;

  const submit = async () => {
    if (isSaving || isUnsettled || !draftOf(personId, section.name)) return;
    keep(current);
    if (await save()) notifyDone(words.saved(title));
    else
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  useHotkeys([['mod+S', () => void submit()]], []);

  const count = current ? Object.keys(current.typed).length + Object.keys(current.secrets).length : 0;
  return (
    <Card title={title}>
      <form
        ref={form}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack gap="md">
          {draft && isUnsettled && (
            <SectionConflict
              key={section.version}
              section={section}
              draft={draft}
              changed={changed}
              hints={hints}
              onSettled={(settled) => {
                clear();
                keep(settled);
              }}
            />
          )}
          <SectionFields
            section={section}
            draft={current}
            faults={faults}
            refusals={refusals}
            hints={hints}
            onChange={(next, name) => {
              forget(name);
              keep(next);
            }}
          />
          {error !== null && !isUnsettled && <Trouble error={error} />}
          <Group gap="sm" className={classes.bar}>
            <Button type="submit" loading={isSaving} disabled={count === 0 || isUnsettled}>
              {words.save}
            </Button>
            {count > 0 && (
              <Button variant="default" onClick={() => setIsDiscarding(true)} disabled={isSaving}>
                {words.discard}
              </Button>
            )}
            <Text size="sm" c="dimmed" role="status">
              {count > 0 ? words.toSave(count) : ''}
            </Text>
            <Text size="sm" c="dimmed" visibleFrom="sm">
              <Kbd size="xs">{modKey}+S</Kbd> {words.shortcut}
            </Text>
          </Group>
        </Stack>
      </form>
      {isDiscarding && (
        <ConfirmAction
          title={words.discardQuestion}
          act={words.discard}
          onAction={async () => {
            clear();
            keep(null);
          }}
          onClose={() => setIsDiscarding(false)}
        >
          {words.discardText(title)}
        </ConfirmAction>
      )}
    </Card>
  );
};
