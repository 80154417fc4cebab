import { Code } from '@mantine/core';
import classes from './code-text.module.css';

/** A whole command or reply; long ones wrap. */
export const CodeText = ({ text }: { readonly text: string }) => (
  <Code block className={classes.text ?? ''}>
    <bdi>{text}</bdi>
  </Code>
);
