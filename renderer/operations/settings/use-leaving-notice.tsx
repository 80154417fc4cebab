import { useEffect, useRef } from 'react';
import type { SettingsSection } from '#contracts/operations/settings.ts';
import { signedInPerson } from '../../kit/access/signed-in-person.ts';
import { notifyLeft, withdrawNotice } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { settingsWords } from './settings.words.ts';
import { draftedSections, forgetDrafts } from './settings-drafts.ts';

export const noticeId = 'settings-not-saved';

/** Tells a person who leaves the page with unsaved input that it is kept, and how to come back to it. */
export const useLeavingNotice = (sections: readonly SettingsSection[], personId: string): void => {
  const words = useWords(settingsWords);
  const language = useLanguage();
  const format = useFormat();
  const tell = useRef<(() => void) | null>(null);
  useEffect(() => {
    tell.current = () => {
      // The person has signed out, or a different one has signed in: none of the input is kept.
      if (signedInPerson() !== personId) return forgetDrafts();
      const drafted = draftedSections(personId);
      if (drafted.length === 0) return;
      const titles = drafted.map(
        (name) => sections.find((section) => section.name === name)?.title[language] ?? name,
      );
      notifyLeft(
        noticeId,
        words.left(format.list(titles)),
        <>
          {words.leftText}{' '}
          <PanelLink to={`/settings/${drafted[0]}`} underline="always">
            {words.back}
          </PanelLink>
        </>,
      );
    };
  });
  useEffect(() => {
    void withdrawNotice(noticeId);
    return () => tell.current?.();
  }, []);
};
