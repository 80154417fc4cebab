import type { Express } from 'express';
import { chooseLanguage } from '../language/requested-language.ts';
import { languageField, languageSwitchPath, placeField } from './language-switch.tsx';
import { ownPath } from './own-path.ts';
import { bindPageArea, type PageAreaOptions } from './page-area.ts';
import { createPageCookies } from './page-cookies.ts';

/** Handles the language switch at the foot of every page. */
export const bindLanguageSwitch = (app: Express, options: Omit<PageAreaOptions, 'root'>): void => {
  const cookies = createPageCookies(options.publicUrl);
  bindPageArea(app, { ...options, root: languageSwitchPath }, (routes) => {
    const otherwise = '/';
    routes.post(
      '/',
      ({ response, form }) => {
        chooseLanguage(response, cookies, form.get(languageField));
        return { redirect: ownPath(form.get(placeField) ?? '', otherwise) };
      },
      otherwise,
    );
  });
};
