/** What is said of a file does not know its feed and names settings as `feeds.NAME`; people want them as they are written. */
export function nameFeed(text: string, feed: string): string {
  return text.replaceAll('feeds.NAME.', `feeds.${feed}.`);
}
