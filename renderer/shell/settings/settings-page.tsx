import { Alert, Stack, VisuallyHidden } from '@mantine/core';
import { useParams } from 'wouter';
import { languages } from '#contracts/kernel/language.ts';
import { type SettingsSection, settingsHttp } from '#contracts/operations/settings.ts';
import { useCan, useMe } from '../../kit/access/access-state.ts';
import { useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { EmptyState } from '../../kit/design/empty-state.tsx';
import { LoadingForm } from '../../kit/design/loading-shapes.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { Sectioned } from '../../kit/design/sectioned.tsx';
import type { FieldHints } from '../../kit/forms/section-fields.tsx';
import { SectionView } from '../../kit/forms/section-view.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { AddressCard } from '../../operations/settings/address-card.tsx';
import { LogoCard } from '../../operations/settings/logo-card.tsx';
import { SectionForm } from '../../operations/settings/section-form.tsx';
import classes from '../../operations/settings/settings.module.css';
import { settingsWords } from '../../operations/settings/settings.words.ts';
import { useDraftsOf } from '../../operations/settings/settings-drafts.ts';
import { useLeavingNotice } from '../../operations/settings/use-leaving-notice.tsx';
import { UnheardChatNotice } from '../../servers/unheard-chat-notice.tsx';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** As options of a setting: each language by its own name. */
const languageLabels = Object.fromEntries(
  languages.map((tag) => [tag, new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag]),
);

/** Hints for fields with these names; every other field is drawn from its schema alone. */
const fieldHints: FieldHints = {
  timeZone: { suggestions: zones },
  language: { optionLabels: languageLabels },
};

const Sections = ({ sections, asked }: { readonly sections: SettingsSection[]; readonly asked: string }) => {
  const words = useWords(settingsWords);
  const language = useLanguage();
  const isWriter = useCan()('settings.write');
  const { id: personId } = useMe();
  const drafts = useDraftsOf(personId);
  const section = asked === '' ? sections[0] : sections.find(({ name }) => name === asked);
  useLeavingNotice(sections, personId);

  return (
    <Sectioned
      label={words.sections}
      links={sections.map(({ name, title }) => ({
        to: `/settings/${name}`,
        isChosen: name === section?.name,
        label: (
          <>
            <span>{title[language]}</span>
            {drafts[name] && (
              <>
                <span aria-hidden className={classes.dot}>
                  ●
                </span>
                <VisuallyHidden>{words.unsaved}</VisuallyHidden>
              </>
            )}
          </>
        ),
      }))}
    >
      <Stack gap="xl">
        {!section && <EmptyState title={words.noSection} text={words.noSectionText} />}
        {section && isWriter && (
          <SectionForm
            key={section.name}
            section={section}
            draft={drafts[section.name] ?? null}
            personId={personId}
            hints={fieldHints}
          />
        )}
        {section && !isWriter && (
          <Card title={section.title[language]}>
            <Alert color="gray" variant="outline">
              {words.readOnly}
            </Alert>
            <SectionView section={section} hints={fieldHints} />
          </Card>
        )}
        {section?.name === 'chat-shop' && <UnheardChatNotice />}
        {section?.name === 'general' && isWriter && <AddressCard />}
        {section?.name === 'general' && <LogoCard mayChange={isWriter} />}
      </Stack>
    </Sectioned>
  );
};

export const Page = () => {
  const words = useWords(settingsWords);
  const asked = useParams()['*'] ?? '';
  const settings = useRead(settingsHttp.list, {});
  return (
    <Frame title={words.title} description={words.description}>
      <AsyncContent read={settings} loading={<LoadingForm />}>
        {({ sections }) => <Sections sections={sections} asked={asked} />}
      </AsyncContent>
    </Frame>
  );
};
