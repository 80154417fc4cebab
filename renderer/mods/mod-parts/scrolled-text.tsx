/** A stranger's text that scrolls separately. A group and not a region: a page may show several with the same name. */
export const ScrolledText = ({
  className,
  label,
  children,
}: {
  readonly className: string | undefined;
  readonly label: string;
  readonly children: string;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  <div role="group" className={className} aria-label={label} tabIndex={0}>
    <bdi>{children}</bdi>
  </div>
);
