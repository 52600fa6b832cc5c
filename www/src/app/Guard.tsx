//! Shows an error message in place of a view that throws, instead of an empty page.

import { Component, type ComponentChildren } from "preact";
import { wordsOf } from "../state/notices.ts";

export class Guard extends Component<{ children: ComponentChildren }, { message: string }> {
  override state = { message: "" };

  override componentDidCatch(error: unknown): void {
    this.setState({ message: wordsOf(error).message });
  }

  #leave = () => {
    location.hash = "#/";
    this.setState({ message: "" });
  };

  render() {
    const { message } = this.state;
    if (message === "") return <>{this.props.children}</>;
    return (
      <main class="guard">
        <div class="empty" role="alert">
          <strong>This part of the page failed</strong>
          <p>{message}</p>
          <p>
            Parts of the page may have different versions. Reload it; hold Shift to bypass the browser's cache. Saved
            indexes are kept.
          </p>
          <p class="empty-actions">
            <button type="button" class="button button-main" onClick={() => location.reload()}>
              Reload
            </button>
            <button type="button" class="button" onClick={this.#leave}>
              All repositories
            </button>
          </p>
        </div>
      </main>
    );
  }
}
