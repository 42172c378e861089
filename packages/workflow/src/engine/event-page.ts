/**
 * Events of a run that are read at a time, and what they may have together: a follower far behind does not load a whole
 * run at once, and each of hundreds that stand still holds a page.
 */
export const EVENT_PAGE = { rows: 256, bytes: 256 * 1024 };
