import { Component, type ReactNode } from 'react';

interface FaultBoundaryProps {
  /** Shown in place of the children that failed. */
  readonly shown: (error: unknown) => ReactNode;
  readonly onFault?: () => void;
  readonly children: ReactNode;
}

/** An error inside leaves the rest of the panel unaffected. */
export class FaultBoundary extends Component<FaultBoundaryProps, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch() {
    this.props.onFault?.();
  }

  override render() {
    return this.state.error === null ? this.props.children : this.props.shown(this.state.error);
  }
}
