import { useMediaQuery } from '@mantine/hooks';

/** Below this width the pages are behind a button; as in the media queries of shell.module.css. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(width < 48em)', undefined, { getInitialValueInEffect: false }) ?? false;
