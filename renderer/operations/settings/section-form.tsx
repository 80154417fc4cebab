import { Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { modKey } from '../../kit/design/mod-key.ts';
import { notifyDone } from '../../kit/design/notify.ts';
import { Trouble } from '../../kit/design/trouble.tsx';
import { changedMeanwhile, onNewer, type SectionDraft } from '../../kit/forms/section-draft.ts';
import { type FieldHints, SectionFields } from '../../kit/forms/section-fields.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { SectionConflict } from './section-conflict.tsx';
import classes from './settings.module.css';
import { settingsWords } from './settings.words.ts';
import { draftOf, keepDraft } from './settings-drafts.ts';
import { useSectionSave } from './use-section-save.ts';

interface SectionFormProps {
  readonly section: SettingsSection;
  readonly draft: SectionDraft | null;
  readonly personId: string;
  readonly hints: FieldHints;
}

export const SectionForm = ({ section, draft, personId, hints }: SectionFormProps) => {
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
