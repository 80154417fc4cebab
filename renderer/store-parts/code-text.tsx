import { Code } from '@mantine/core';
import classes from './code-text.module.css';

/** A command or an answer, whole: a long one goes on in the next line. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <Code block className={classes.text ?? ''}>
    <bdi>{text}</bdi>
  </Code>
);
